// What needs attention: every object that does, what several of them have in common, and which incidents are over.

import type { ObjectSummary } from "../../core/views/object-view.ts";
import { objectKey } from "../../server/contract.ts";
import { closedIncidents, commonTroubles, countedObjects, needingAttention } from "../attention.ts";
import { objectName } from "../log-filter.ts";
import { span } from "../words/time.ts";
import { Mark } from "./mark.tsx";
import { Moment } from "./moment.tsx";
import { ObjectRow } from "./object-row.tsx";
import { PageLink } from "./page-link.tsx";
import { Panel } from "./panel.tsx";
import { Reason } from "./reason.tsx";

export function AttentionPanel({ objects }: { readonly objects: readonly ObjectSummary[] }) {
  const sick = needingAttention(objects);
  if (sick.length === 0) return null;
  return (
    <Panel title="Needs attention" aside={`${sick.length} of ${objects.length} objects`}>
      <CommonTroubles objects={objects} />
      <ul className="rows">
        {sick.map((object) => (
          <ObjectRow key={objectKey(object.id)} object={object} withKind />
        ))}
      </ul>
    </Panel>
  );
}

function CommonTroubles({ objects }: { readonly objects: readonly ObjectSummary[] }) {
  const common = commonTroubles(objects);
  if (common.length === 0) return null;
  return (
    <ul className="common-troubles" aria-label="In common">
      {common.map(({ what, reason, objects: ids }) => (
        <li key={what}>
          {reason === undefined ? <strong>{what}</strong> : <Reason reason={reason} runbook={reason} />}:{" "}
          {countedObjects(ids)}
        </li>
      ))}
    </ul>
  );
}

const mostShown = 5;

export function ClosedIncidents({ objects }: { readonly objects: readonly ObjectSummary[] }) {
  const closed = closedIncidents(objects).slice(0, mostShown);
  if (closed.length === 0) return null;
  return (
    <Panel title="Over" aside="in the last hour">
      <ul className="rows">
        {closed.map(({ object, from, to, reason, summary }) => (
          <li key={`${objectKey(object)} ${to}`} className="condition">
            <Mark shape="check" tone="good" word="Closed" />
            <div>
              <p>
                <PageLink to={{ page: "object", object }}>{objectName(object)}</PageLink>{" "}
                <Reason reason={reason} runbook={summary === "" ? undefined : reason} />
              </p>
              <p className="small soft">
                {summary} It lasted for {span(Date.parse(to) - Date.parse(from))}.
              </p>
            </div>
            <span className="row-time small soft">
              <Moment time={to} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
