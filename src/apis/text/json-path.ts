// Reading and changing plain JSON by path without touching what was given.

import { isRecord } from "./problem.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;
export type JsonPath = readonly string[];

export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  );
}

/** `undefined` takes the field away. Parents are made where they are missing. */
export function withValueAt(record: JsonRecord, path: JsonPath, value: unknown): JsonRecord {
  const [name, ...rest] = path;
  if (name === undefined) return record;
  const { [name]: inner, ...others } = record;
  if (rest.length === 0) return value === undefined ? others : { ...record, [name]: value };
  if (value === undefined && !isRecord(inner)) return record;
  return { ...record, [name]: withValueAt(isRecord(inner) ? inner : {}, rest, value) };
}

/** Equal as JSON: a field that is undefined is not there. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => sameJson(a[name], b[name]));
}
