// An action in one line for people, as in dry runs and log lines. Only plain values are shown;
// nested data stays out, so that no object's content leaks into a message, and so does what only the API server keeps count of.

import { type Action, laneName } from "./plan.ts";

const shownElsewhere: ReadonlySet<string> = new Set(["kind", "because", "lane", "step", "target", "removes", "name"]);
const bookkeeping: ReadonlySet<string> = new Set(["resourceVersion", "uid", "generation", "restMs", "notNow"]);
const secretName = /secret|password|token|credential|key$/i;

/** Such as `publish cluster (controlPlane SingleReplica) in status because TopologyEmpty`. */
export function describeAction(action: Action): string {
  return `${wordsOf(action)} because ${action.because}`;
}

/** The same after it was done: `Created load balancer kube-az1 for zone az1`. */
export function describeDone(action: Action): string {
  const [verb = "", ...rest] = wordsOf(action).split(" ");
  const past = pastTense[verb] ?? (verb.endsWith("e") ? `${verb}d` : `${verb}ed`);
  return [`${past.slice(0, 1).toUpperCase()}${past.slice(1)}`, ...rest].join(" ");
}

/** Of verbs that do not end in -ed. Words and kinds of actions begin with an imperative. */
const pastTense: Readonly<Record<string, string>> = { write: "wrote", make: "made", set: "set", tag: "tagged" };

function wordsOf(action: Action): string {
  const { kind, lane, removes, words } = action;
  if (words !== undefined) return words;
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
