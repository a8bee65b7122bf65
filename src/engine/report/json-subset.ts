// Whether an object already has the values we want. Maps may hold more fields than ours; lists are compared whole.

import { isRecord } from "../../apis/text/problem.ts";

export function isSubset(wanted: unknown, actual: unknown): boolean {
  if (wanted === undefined) return actual === undefined;
  if (Array.isArray(wanted)) return Array.isArray(actual) && isSameList(wanted, actual);
  if (!isRecord(wanted)) return Object.is(wanted, actual);
  if (!isRecord(actual)) return false;
  return Object.entries(wanted).every(([name, value]) => isSubset(value, actual[name]));
}

/** A copy without the fields that are `undefined`. */
export function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => [name, withoutUndefined(inner)]),
  );
}

function isSameList(wanted: readonly unknown[], actual: readonly unknown[]): boolean {
  return (
    wanted.length === actual.length &&
    wanted.every((entry, index) => isSubset(entry, actual[index]) && isSubset(actual[index], entry))
  );
}
