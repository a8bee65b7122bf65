// Questions about plain JSON values that merging and validating ask all the time.

import type { Json, JsonObject } from "../json.ts";

export type { Json, JsonObject } from "../json.ts";

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Deep equality; the order of fields does not matter, absent and undefined are the same. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isJsonList(a) && isJsonList(b)) return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = new Set([...presentFields(a), ...presentFields(b)]);
  return [...names].every((name) => sameJson(a[name], b[name]));
}

export function presentFields(object: JsonObject): readonly string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined);
}

/** The object at a field, or an empty one. */
export function objectAt(object: JsonObject | undefined, name: string): JsonObject {
  const value = object?.[name];
  return isJsonObject(value) ? value : {};
}

export function listAt(object: JsonObject | undefined, name: string): readonly Json[] {
  const value = object?.[name];
  return isJsonList(value) ? value : [];
}

export function stringAt(object: JsonObject | undefined, name: string): string {
  const value = object?.[name];
  return typeof value === "string" ? value : "";
}
