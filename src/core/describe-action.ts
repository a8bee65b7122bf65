// An action in one line for people: what a dry run would have done, what a log line says was done. Only plain values are shown;
// nested data stays out, so that no object's content leaks into a message.

import type { Action } from "./plan.ts";

const shownElsewhere: ReadonlySet<string> = new Set(["kind", "because", "lane", "removes"]);
const secretName = /secret|password|token|credential|key$/i;

export function describeAction(action: Action): string {
  const fields = Object.entries(action)
    .filter(([name, value]) => !shownElsewhere.has(name) && !secretName.test(name) && isPlain(value))
    .map(([name, value]) => `${name}=${String(value)}`);
  const lane = action.lane === undefined ? [] : [`in ${action.lane}`];
  const removes = action.removes === undefined ? [] : [`removing ${action.removes}`];
  return [action.kind, ...fields, ...lane, ...removes, `because ${action.because}`].join(" ");
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
