// All objects: one sentence about them, a count for each health, what needs attention by name, and a line for each of the rest.

import type { Health, ObjectSummary } from "../../core/views/object-view.ts";
import { type ManagerInfo, objectKey } from "../../server/contract.ts";
import { attentionHeadline, needingAttention } from "../attention.ts";
import { AttentionPanel, ClosedIncidents } from "../components/attention-panel.tsx";
import { EmptyLog } from "../components/empty-log.tsx";
import { LogEntry } from "../components/log-entry.tsx";
import { LeadershipLine, ManagerCard } from "../components/manager-card.tsx";
import { HealthMark } from "../components/mark.tsx";
import { ObjectRow } from "../components/object-row.tsx";
import { PageHeading } from "../components/page-heading.tsx";
import { PageLink } from "../components/page-link.tsx";
import { Nothing, Panel } from "../components/panel.tsx";
import { StandbyNote } from "../components/standby-note.tsx";
import { type Knowledge, logKey } from "../live/live-state.ts";
import { useStaleness } from "../live/staleness.ts";
import { goTo } from "../navigation.ts";
import { groupObjects } from "../object-groups.ts";
import { healths, type OverviewFilter } from "../routes.ts";
import { countByHealth } from "../words/health.ts";
import { membersInWords } from "../words/parts.ts";
import { type Staleness, staleHeadline } from "../words/staleness.ts";

const latestEntries = 6;

export interface OverviewPageProps {
  readonly known: Knowledge;
  readonly filter: OverviewFilter;
}

export function OverviewPage({ known, filter }: OverviewPageProps) {
  const objects = [...known.objects.values()];
  const isWhole = filter.health === undefined && filter.text === undefined;
  // What needs attention stands above the rest, unless somebody looks for something else.
  const above = isWhole ? needingAttention(objects) : [];
  const groups = groupObjects(
    objects.filter((object) => !above.includes(object)),
    filter,
  );
  const stale = useStaleness();
  return (
    <div className={stale === undefined ? undefined : "last-seen"}>
      <PageHeading title="Overview">
        {stale === undefined ? attentionHeadline(objects) : staleHeadline(stale)}
      </PageHeading>
      <Subline stale={stale} manager={known.manager} />
      <StandbyNote manager={known.manager} />
      <HealthCounts objects={objects} filter={filter} />
      <div className="columns">
        <div className="column">
          {isWhole ? <AttentionPanel objects={objects} /> : null}
          {groups.map(({ kind, objects: members }) => (
            <Panel key={kind} title={kind} aside={membersInWords(members)}>
              <ul className="rows">
                {members.map((object) => (
                  <ObjectRow key={objectKey(object.id)} object={object} />
                ))}
              </ul>
            </Panel>
          ))}
          {groups.length === 0 && above.length === 0 ? <NoObjects any={objects.length > 0} /> : null}
          <HiddenKinds kinds={known.hiddenKinds} />
        </div>
        <aside className="column" aria-label="Manager and latest changes">
          <ClosedIncidents objects={objects} />
          <Panel title="Manager" aside={<PageLink to={{ page: "manager" }}>More</PageLink>}>
            <ManagerCard manager={known.manager} />
          </Panel>
          <Panel title="Latest plans" aside={<PageLink to={{ page: "plan-log", filter: {} }}>Whole log</PageLink>}>
            {known.log.length === 0 ? <EmptyLog manager={known.manager} /> : null}
            <ol className="rows">
              {known.log.slice(0, latestEntries).map((entry) => (
                <LogEntry key={logKey(entry)} entry={entry} />
              ))}
            </ol>
          </Panel>
        </aside>
      </div>
    </div>
  );
}

/** Whether a manager leads; without a connection, why that is not known. */
function Subline({ stale, manager }: { readonly stale: Staleness | undefined; readonly manager: ManagerInfo }) {
  return (
    <>
      {stale === undefined ? null : <p>{stale.why} Below is what was seen last.</p>}
      {stale?.cut === true ? null : <LeadershipLine manager={manager} />}
    </>
  );
}

function HealthCounts({
  objects,
  filter,
}: {
  readonly objects: readonly ObjectSummary[];
  readonly filter: OverviewFilter;
}) {
  const counts = countByHealth(objects);
  const { health: _health, ...rest } = filter;
  return (
    <div className="health-counts">
      <nav aria-label="Show objects by health">
        <ul>
          <li>
            <PageLink
              to={{ page: "overview", filter: rest }}
              current={filter.health === undefined ? "true" : undefined}
            >
              <span className="count">{objects.length}</span> All
            </PageLink>
          </li>
          {healths.map((health: Health) => (
            <li key={health} data-empty={counts[health] === 0}>
              <PageLink
                to={{ page: "overview", filter: { ...rest, health } }}
                current={filter.health === health ? "true" : undefined}
              >
                <span className="count">{counts[health]}</span> <HealthMark health={health} />
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
      <input
        type="search"
        aria-label="Find objects"
        placeholder="Find by name, kind or words"
        value={filter.text ?? ""}
        onChange={({ target }) => {
          const { text: _text, ...others } = filter;
          goTo(
            { page: "overview", filter: target.value === "" ? others : { ...others, text: target.value } },
            { replace: true },
          );
        }}
      />
    </div>
  );
}

function NoObjects({ any }: { readonly any: boolean }) {
  if (!any) return <Nothing>No object is here that Mainstay manages and that you may see.</Nothing>;
  return (
    <Nothing>
      No object fits this filter. <PageLink to={{ page: "overview", filter: {} }}>Show all objects</PageLink>
    </Nothing>
  );
}

function HiddenKinds({ kinds }: { readonly kinds: readonly string[] }) {
  if (kinds.length === 0) return null;
  return (
    <p className="small soft">
      Not shown: your token may not list all objects of {kinds.join(", ")}. The ClusterRole mainstay-viewer allows it.
    </p>
  );
}
