// Questions about plain JSON values that merging and validating ask all the time.

import { present } from "../../../../core/present.ts";
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
  const names = presentFields(a);
  return (
    names.length === presentFields(b).length &&
    names.every((name) => b[name] !== undefined && sameJson(a[name], b[name]))
  );
}

export function presentFields(object: JsonObject): readonly string[] {
  const names = Object.keys(object);
  for (const name of names) if (object[name] === undefined) return names.filter((one) => object[one] !== undefined);
  return names;
}

/**
 * With another value in each field; without the field where that is undefined. What stays as it is comes back itself, not as a copy:
 * values never change, so that whatever was found out about one once holds for as long as it is there.
 */
export function mapFields(
  object: JsonObject,
  replace: (value: Json | undefined, name: string) => Json | undefined,
): JsonObject {
  const replaced: (readonly [name: string, value: Json | undefined])[] = [];
  for (const name of Object.keys(object)) {
    const value = replace(object[name], name);
    if (value !== object[name] || value === undefined) replaced.push([name, value]);
  }
  if (replaced.length === 0) return object;
  const fields = { ...object, ...Object.fromEntries(replaced) };
  return replaced.some(([, value]) => value === undefined) ? present(fields) : fields;
}

/** As `mapFields`, for lists. */
export function mapItems(list: readonly Json[], replace: (item: Json, index: number) => Json): readonly Json[] {
  const items = list.map(replace);
  return items.every((item, index) => item === list[index]) ? list : items;
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
