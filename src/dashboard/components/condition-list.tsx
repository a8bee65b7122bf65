// The conditions of an object in words: those that are not as they should be, with why and since when. The others are one line that opens.

import type { ConditionView } from "../../core/views/object-view.ts";
import { asSentence } from "../words/as-sentence.ts";
import { Mark } from "./mark.tsx";
import { Moment } from "./moment.tsx";
import { Nothing } from "./panel.tsx";
import { Reason } from "./reason.tsx";

export function ConditionList({ conditions }: { readonly conditions: readonly ConditionView[] }) {
  if (conditions.length === 0) return <Nothing>This object has no conditions; what is known is in its plan.</Nothing>;
  const isPlain = ({ good, outdated }: ConditionView) => good && !outdated;
  const told = conditions.filter((condition) => !isPlain(condition));
  return (
    <>
      {told.length === 0 ? null : <Rows conditions={told} />}
      <GoodConditions conditions={conditions.filter(isPlain)} among={conditions.length} />
    </>
  );
}

interface GoodConditionsProps {
  readonly conditions: readonly ConditionView[];
  readonly among: number;
}

function GoodConditions({ conditions, among }: GoodConditionsProps) {
  if (conditions.length === 0) return null;
  const which = conditions.length === among ? `All ${among}` : `${conditions.length} of ${among}`;
  return (
    <details className="good-conditions">
      <summary>
        <Mark shape="check" tone="good" word={`${which} as they should be`} />
        <span className="small soft"> {conditions.map(({ type }) => type).join(", ")}</span>
      </summary>
      <Rows conditions={conditions} />
    </details>
  );
}

function Rows({ conditions }: { readonly conditions: readonly ConditionView[] }) {
  return (
    <ul className="rows">
      {conditions.map((condition) => (
        <li key={condition.type} className="condition">
          <ConditionMark condition={condition} />
          <div>
            <p>
              <strong>{condition.type}</strong> <Reason reason={condition.reason} runbook={condition.runbook} />
            </p>
            <p>{asSentence(condition.message) || condition.summary || condition.words}</p>
            {condition.outdated ? <p className="small soft">Written for an earlier version of the object.</p> : null}
          </div>
          <span className="row-time small soft">
            <Moment time={condition.since} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function ConditionMark({ condition: { status, good } }: { readonly condition: ConditionView }) {
  if (status === "Unknown") return <Mark shape="question" tone="unknown" word="Unknown" />;
  const word = status === "True" ? "True" : "False";
  return good ? <Mark shape="check" tone="good" word={word} /> : <Mark shape="alert" tone="bad" word={word} />;
}
