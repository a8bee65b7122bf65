// One line of the plan log: what was done or not done, to which object, and why.

import type { PlanLogEntry } from "../../core/views/object-view.ts";
import { objectName } from "../log-filter.ts";
import { actionValues } from "../words/action-values.ts";
import { ResultMark } from "./mark.tsx";
import { Moment } from "./moment.tsx";
import { PageLink } from "./page-link.tsx";
import { Reason } from "./reason.tsx";

export interface LogEntryProps {
  readonly entry: PlanLogEntry;
  /** Off on the page of the object itself. */
  readonly withObject?: boolean;
}

export function LogEntry({ entry, withObject = true }: LogEntryProps) {
  const { result, action, object, because, runbook, time, message, lane, removes } = entry;
  const more = message ?? actionValues({ ...entry, reason: because, name: object.name });
  return (
    <li className="log-entry">
      <ResultMark result={result} />
      <div className="log-what">
        <p>
          <code className="action">{action}</code>
          {withObject ? (
            <>
              {" "}
              <PageLink to={{ page: "object", object }}>{objectName(object)}</PageLink>
            </>
          ) : null}
          {lane === undefined ? null : <span className="soft"> in {lane}</span>}
          {removes === undefined ? null : <strong> removes {removes}</strong>}
          <span className="soft"> because </span>
          <Reason reason={because} runbook={runbook} />
        </p>
        {more === "" ? null : <p className="small soft">{more}</p>}
      </div>
      <span className="log-time small soft">
        <Moment time={time} />
      </span>
    </li>
  );
}
