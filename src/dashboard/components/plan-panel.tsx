// The latest plan of one controller for an object: what it does, waits for and refuses, each with its reason.

import type { ReactNode } from "react";
import type { Explained, PlanActionView, PlanView } from "../../core/views/object-view.ts";
import { actionValues } from "../words/action-values.ts";
import { asSentence } from "../words/as-sentence.ts";
import { span } from "../words/time.ts";
import { ResultMark } from "./mark.tsx";
import { Moment } from "./moment.tsx";
import { Panel } from "./panel.tsx";
import { Reason } from "./reason.tsx";

export interface PlanPanelProps {
  readonly plan: PlanView;
  /** Of the object it is for. */
  readonly name: string;
}

export function PlanPanel({ plan, name }: PlanPanelProps) {
  const { controller, at, sentence, actions, waits, refusals, troubles } = plan;
  const entries = actions.length + waits.length + refusals.length + troubles.length;
  return (
    <Panel
      title={`Plan of ${controller}`}
      aside={
        <>
          the same since <Moment time={at} />
        </>
      }
    >
      <p>{sentence}</p>
      {entries === 0 ? null : (
        <ul className="rows">
          {refusals.map((refusal) => (
            <PlanRow
              key={`refusal ${refusal.reason} ${refusal.lane} ${refusal.message}`}
              explained={refusal}
              message={refusal.message}
              lane={refusal.lane}
            >
              <ResultMark result={refusal.notice ? "noticed" : "refused"} />
            </PlanRow>
          ))}
          {troubles.map((trouble) => (
            <PlanRow key={`trouble ${trouble.reason} ${trouble.message}`} explained={trouble} message={trouble.message}>
              <ResultMark result="failed" />
            </PlanRow>
          ))}
          {waits.map((wait) => (
            <PlanRow
              key={`wait ${wait.reason} ${wait.lane} ${wait.message}`}
              explained={wait}
              message={`${asSentence(wait.message || wait.summary)} Checks again every ${span(wait.recheckAfterMs)}, or when something changes.`}
              lane={wait.lane}
            >
              <ResultMark result="waiting" />
            </PlanRow>
          ))}
          {actions.map((action) => (
            <ActionRow key={action.words} action={action} name={name} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface PlanRowProps {
  readonly explained: Explained;
  readonly message: string;
  readonly lane?: string | undefined;
  readonly children: ReactNode;
}

function PlanRow({ explained: { reason, runbook, summary }, message, lane, children }: PlanRowProps) {
  return (
    <li className="condition">
      {children}
      <div>
        <p>
          {message === "" ? summary : message} {lane === undefined ? null : <span className="soft">in {lane}</span>}
        </p>
        <p className="small soft">
          <Reason reason={reason} runbook={runbook} /> {message === "" ? null : summary}
        </p>
      </div>
    </li>
  );
}

function ActionRow({ action: view, name }: { readonly action: PlanActionView; readonly name: string }) {
  const { action, reason, runbook, result, removes, lane, failure } = view;
  const values = actionValues({ ...view, name });
  return (
    <li className="condition">
      <ResultMark result={result} />
      <div>
        <p>
          <code className="action">{action}</code>
          {lane === undefined ? null : <span className="soft"> in {lane}</span>}
          {removes === undefined ? null : <strong> removes {removes}</strong>}
          <span className="soft"> because </span>
          <Reason reason={reason} runbook={runbook} />
        </p>
        {values === "" ? null : <p className="small soft">{values}</p>}
        {failure === undefined ? null : (
          <p>
            {failure.message || failure.summary} <Reason reason={failure.reason} runbook={failure.runbook} />
          </p>
        )}
      </div>
    </li>
  );
}
