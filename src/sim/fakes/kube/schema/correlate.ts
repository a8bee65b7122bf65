// Follows values from one write to the next. Only lists with keys can be followed item by item.

import { isJsonList, isJsonObject, type Json, sameJson } from "./json-value.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export function correlatedItem(list: StructuralSchema, item: Json, old: Json | undefined): Json | undefined {
  if (list["x-kubernetes-list-type"] !== "map" || !isJsonList(old) || !isJsonObject(item)) return undefined;
  const keys = list["x-kubernetes-list-map-keys"] ?? [];
  return old.find((one) => isJsonObject(one) && keys.every((key) => sameJson(one[key], item[key])));
}

/** Whether the server takes a value for unchanged. It knows nothing of fields that no schema names: an object with one never is. */
export function isUnchanged(schema: StructuralSchema, value: Json, old: Json): boolean {
  const { items, properties = {}, additionalProperties } = schema;
  if (isJsonObject(value) && isJsonObject(old)) {
    const names = Object.keys(value);
    if (names.length !== Object.keys(old).length) return false;
    const others = typeof additionalProperties === "object" ? additionalProperties : undefined;
    return names.every((name) => {
      const [is, was] = [value[name], old[name]];
      const inner = Object.hasOwn(properties, name) ? properties[name] : others;
      return inner !== undefined && is !== undefined && was !== undefined && isUnchanged(inner, is, was);
    });
  }
  if (!isJsonList(value) || !isJsonList(old) || schema["x-kubernetes-list-type"] !== "map" || items === undefined)
    return sameJson(value, old);
  return (
    value.length === old.length &&
    value.every((item) => {
      const was = correlatedItem(schema, item, old);
      return was !== undefined && isUnchanged(items, item, was);
    })
  );
}
