// How often a rule may have to run for one object, at most: the product of the limits around it, or, where a list or map
// around it has none, as often as its values fit into the largest request.

import type { StructuralSchema } from "../structural-schema.ts";

const maxRequestBytes = 3 * 1024 * 1024;

/** A rule that may run more often than this is refused, however cheap it is. */
export const maxRuleRuns = 10_000_000;

/** Undefined: some list or map around the rule has no limit. */
export type Limit = number | undefined;

export function timesLimit(outer: Limit, own: Limit): Limit {
  return outer === undefined || own === undefined ? undefined : outer * own;
}

export function ruleRuns(schema: StructuralSchema, limit: Limit): number {
  return limit ?? Math.floor(maxRequestBytes / (smallestSize(schema) + 1));
}

/** Bytes that the shortest value takes on the wire. */
function smallestSize(schema: StructuralSchema): number {
  if (schema.type === "boolean") return 4;
  if (schema.type === "integer" || schema.type === "number") return 1;
  if (schema.type !== "object") return 2;
  const { properties = {}, required = [] } = schema;
  return required.reduce((total, name) => {
    const field = properties[name];
    return field === undefined || field.default !== undefined ? total : total + name.length + smallestSize(field) + 4;
  }, 2);
}
