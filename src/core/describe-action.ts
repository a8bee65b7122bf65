// An action in one line for people, as in dry runs and log lines. Only plain values are shown;
// nested data stays out, so that no object's content leaks into a message, and so does what only the API server keeps count of.

import { type Action, laneName } from "./plan.ts";

const shownElsewhere: ReadonlySet<string> = new Set(["kind", "because", "lane", "step", "removes", "name"]);
const bookkeeping: ReadonlySet<string> = new Set(["resourceVersion", "uid", "generation", "restMs"]);
const secretName = /secret|password|token|credential|key$/i;

/** Such as `publish cluster (controlPlane SingleReplica) in status because TopologyEmpty`. */
export function describeAction(action: Action): string {
  const { kind, lane, removes, because, words } = action;
  if (words !== undefined) return `${words} because ${because}`;
  const name = "name" in action && typeof action.name === "string" ? [action.name] : [];
  const details = Object.entries(action)
    .filter(([field]) => !shownElsewhere.has(field) && !bookkeeping.has(field) && !secretName.test(field))
    .flatMap(([field, value]) => describeField(inWords(field), value));
  return [
    kind.replaceAll("-", " "),
    ...name,
    ...(details.length === 0 ? [] : [`(${details.join(", ")})`]),
    ...(lane === undefined ? [] : [`in ${laneName(lane)}`]),
    ...(removes === undefined ? [] : [`removing ${removes}`]),
    `because ${because}`,
  ].join(" ");
}

/** A boolean is shown by its name when it is true, and not at all when it is false. */
function describeField(name: string, value: unknown): readonly string[] {
  if (value === true) return [name];
  return typeof value === "string" || typeof value === "number" ? [`${name} ${value}`] : [];
}

function inWords(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
