// When two actions are the same step, taken again: they ask for the same in the same lane. What a thing that is made anew gets anew (ids,
// versions) does not count, nor why it is asked for: a balancer that ends in ERROR each time it is made is made with the same step each time.

import { isRecord } from "../apis/text/problem.ts";
import { describeAction } from "./describe-action.ts";
import { type Action, laneKey } from "./plan.ts";

const notContent =
  /^(because|lane|step|target|words|restMs|notNow|id|uid|generation|resourceVersion|revisionNumber)$|Ids?$/;

export function stepIdentity(action: Action): string {
  return `${laneKey(action.lane)} ${contentOf(action)}`;
}

/** What people are told of a step that does not help. It does not change from one try to the next. */
export function repeatedStepMessage(action: Action): string {
  return `${describeAction(action)}: this was done several times and did not last, so it is tried again at most every five minutes; find out why it fails or who undoes it; a change of this object has it tried at once`;
}

function contentOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(contentOf).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "";
  if (isRecord(value["metadata"])) return nameOf(value["kind"], value["metadata"]);
  const fields = Object.keys(value)
    .filter((name) => value[name] !== undefined && !notContent.test(name))
    .toSorted();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${contentOf(value[name])}`).join()}}`;
}

/** A Kubernetes object stands for itself, whatever its status says by now. */
function nameOf(kind: unknown, { namespace, name }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([kind, namespace, name]);
}
