// The manager behind this dashboard: whether it leads, whether it is ready, and which controllers it runs.

import { LeadershipLine, ManagerCard } from "../components/manager-card.tsx";
import { Mark } from "../components/mark.tsx";
import { Moment } from "../components/moment.tsx";
import { PageHeading } from "../components/page-heading.tsx";
import { Nothing, Panel } from "../components/panel.tsx";
import type { Knowledge } from "../live/live-state.ts";

export function ManagerPage({ known: { manager } }: { readonly known: Knowledge }) {
  return (
    <>
      <PageHeading title="Manager" />
      <LeadershipLine manager={manager} />
      <div className="columns">
        <div className="column">
          <Panel title="Leadership">
            <ManagerCard manager={manager} />
          </Panel>
          <Panel title="Controllers">
            {manager.controllers.length === 0 ? <Nothing>None is configured.</Nothing> : null}
            <ul className="rows">
              {manager.controllers.map(({ name, resource }) => (
                <li key={name}>
                  <strong>{name}</strong> <span className="soft">decides about</span> <code>{resource}</code>
                </li>
              ))}
            </ul>
          </Panel>
        </div>
        <div className="column">
          <Panel title="Readiness">
            <p>
              {manager.ready ? (
                <Mark shape="check" tone="good" word="Ready" />
              ) : (
                <Mark shape="alert" tone="bad" word="Not ready" />
              )}{" "}
              {manager.ready ? "It can read everything it needs." : "It cannot read everything it needs."}
            </p>
            {manager.missing.length === 0 ? null : (
              <ul className="rows" aria-label="Missing">
                {manager.missing.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </Panel>
          <Panel title="Process">
            <dl className="facts">
              <dt>Identity</dt>
              <dd className="mono">{manager.identity}</dd>
              <dt>Version</dt>
              <dd>{manager.version}</dd>
              <dt>Started</dt>
              <dd>
                <Moment time={manager.startedAt} />
              </dd>
            </dl>
          </Panel>
        </div>
      </div>
    </>
  );
}
