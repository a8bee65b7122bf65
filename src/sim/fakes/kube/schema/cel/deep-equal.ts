// Equality of CEL values, through objects, lists and maps.

import { CelObject } from "./cel-object.ts";

export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => deepEqual(item, b[i]));
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && deepEqual(value, b.get(key)));
  }
  if (a instanceof CelObject && b instanceof CelObject) return sameFields(a, b);
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (a instanceof Uint8Array && b instanceof Uint8Array)
    return a.length === b.length && a.every((byte, i) => byte === b[i]);
  if (isNumeric(a) && isNumeric(b)) return Number(a) === Number(b);
  return isComparable(a) && isComparable(b) && a.constructor === b.constructor && a.valueOf() === b.valueOf();
}

function sameFields(a: CelObject, b: CelObject): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => Object.hasOwn(a, name) === Object.hasOwn(b, name) && deepEqual(a[name], b[name]));
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function isComparable(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Less than zero, zero, more than zero. Only values of one ordered type are ever compared. */
export function compareCel(a: unknown, b: unknown): number {
  const [left, right] = [orderOf(a), orderOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function orderOf(value: unknown): string | number | bigint {
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value === "boolean") return Number(value);
  if (value instanceof Uint8Array) return String.fromCodePoint(...value);
  if (value instanceof Date) return value.getTime();
  const primitive: unknown = typeof value === "object" && value !== null ? value.valueOf() : undefined;
  return typeof primitive === "number" || typeof primitive === "bigint" ? primitive : String(value);
}
