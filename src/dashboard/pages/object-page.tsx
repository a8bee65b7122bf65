// One object: its health and why, its picture, conditions, plan, what happened to it, and related objects.

import type { ObjectDetail, Relation } from "../../core/views/object-view.ts";
import { type ManagerInfo, type ObjectAnswer, objectKey, routes } from "../../server/contract.ts";
import { ConditionList } from "../components/condition-list.tsx";
import { FailureNote } from "../components/failure-note.tsx";
import { HealthMark } from "../components/mark.tsx";
import { Moment } from "../components/moment.tsx";
import { PageHeading } from "../components/page-heading.tsx";
import { PageLink } from "../components/page-link.tsx";
import { Nothing, Panel } from "../components/panel.tsx";
import { PartsPanel } from "../components/parts-panel.tsx";
import { PicturePanel } from "../components/picture-panel.tsx";
import { PlanPanel } from "../components/plan-panel.tsx";
import { StripPanel } from "../components/strip-panel.tsx";
import { TimelinePanel } from "../components/timeline-panel.tsx";
import { WhyNote } from "../components/why-note.tsx";
import { YamlPanel } from "../components/yaml-panel.tsx";
import { useAnswer } from "../live/live-context.tsx";
import type { Knowledge } from "../live/live-state.ts";
import { useStaleness } from "../live/staleness.ts";
import { objectName } from "../log-filter.ts";
import type { ObjectPlace } from "../routes.ts";
import { staleHeadline } from "../words/staleness.ts";

export function ObjectPage({ known, object }: { readonly known: Knowledge; readonly object: ObjectPlace }) {
  const revision = known.objects.get(objectKey(object))?.revision ?? "gone";
  const answer = useAnswer<ObjectAnswer>(routes.object(object), revision);
  const place = [object.namespace, object.name].filter((part) => part !== undefined).join("/");
  const stale = useStaleness();
  const title = answer.state === "here" ? objectName(answer.value.id) : place;
  return (
    <article className={stale === undefined ? "object-page" : "object-page last-seen"}>
      <nav aria-label="Where you are" className="small">
        <PageLink to={{ page: "overview", filter: {} }}>Overview</PageLink>{" "}
        <span className="soft">/ {object.resource}</span>
      </nav>
      <PageHeading title={title} />
      {answer.state === "loading" ? (
        <p className="soft" aria-busy="true">
          Asking the server about {place}.
        </p>
      ) : null}
      {answer.state === "failed" ? <FailureNote failure={answer.failure} /> : null}
      {stale === undefined || stale.cut ? null : (
        <p className="note" data-tone="bad">
          {staleHeadline(stale)} {stale.why}
        </p>
      )}
      {answer.state === "here" ? (
        <Detail detail={answer.value} manager={known.manager} stale={stale !== undefined} />
      ) : null}
    </article>
  );
}

interface DetailProps {
  readonly detail: ObjectDetail;
  readonly manager: ManagerInfo;
  readonly stale: boolean;
}

function Detail({ detail, manager, stale }: DetailProps) {
  return (
    <>
      <p className="lead">
        {stale ? <strong>Last seen:</strong> : null} <HealthMark health={detail.health} /> {detail.sentence}
      </p>
      <p className="small soft">
        {detail.what} Created <Moment time={detail.createdAt} />
        {detail.controllers.length === 0 ? null : `, managed by ${detail.controllers.join(", ")}`}.
        {detail.deleting ? " It is being deleted." : null}
      </p>
      <WhyNote detail={detail} />
      {detail.picture === undefined ? null : <PicturePanel picture={detail.picture} />}
      <StripPanel strips={detail.strips} />
      {detail.partsTable === undefined ? null : <PartsPanel table={detail.partsTable} count={detail.parts} />}
      {(detail.tables ?? []).map((table) => (
        <PartsPanel key={table.title} table={table} count={undefined} />
      ))}
      <div className="columns">
        <div className="column">
          <Panel title="Conditions">
            <ConditionList conditions={detail.conditions} />
          </Panel>
          {detail.plans.map((plan) => (
            <PlanPanel key={plan.controller} plan={plan} name={detail.id.name} />
          ))}
          {detail.plans.length === 0 ? (
            <Panel title="Plan">
              <Nothing>
                {manager.leading
                  ? "No controller plans for this object itself."
                  : "This replica is a standby and plans nothing; the leader has the plan."}
              </Nothing>
            </Panel>
          ) : null}
          <TimelinePanel detail={detail} />
        </div>
        <div className="column">
          <Relatives detail={detail} />
          <Terminal detail={detail} />
          <YamlPanel id={detail.id} revision={detail.revision} />
        </div>
      </div>
    </>
  );
}

const relationNames: Readonly<Record<Relation, string>> = {
  owner: "Owned by",
  owned: "Owns",
  report: "Reported in",
  subject: "Reports on",
  input: "Decided from",
};

function Relatives({ detail: { relations } }: { readonly detail: ObjectDetail }) {
  return (
    <Panel title="Related objects">
      {relations.length === 0 ? <Nothing>None that Mainstay knows of.</Nothing> : null}
      <ul className="rows relations">
        {relations.map(({ relation, id, health }) => (
          <li key={`${relation} ${objectKey(id)}`}>
            <span className="soft">{relationNames[relation]}</span>{" "}
            <PageLink to={{ page: "object", object: id }}>{objectName(id)}</PageLink>
            {health === undefined ? null : <HealthMark health={health} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Terminal({ detail: { id } }: { readonly detail: ObjectDetail }) {
  const namespace = id.namespace === undefined ? "" : ` -n ${id.namespace}`;
  return (
    <Panel title="In a terminal">
      <pre className="commands">
        {`kubectl get ${id.resource} ${id.name}${namespace} -o yaml\nmainstay explain ${id.kind.toLowerCase()}/${id.name}${namespace}`}
      </pre>
    </Panel>
  );
}
