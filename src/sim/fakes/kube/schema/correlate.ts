// Finds the old value of a list item. Only lists with keys can be followed from one write to the next.

import { isJsonList, isJsonObject, type Json, sameJson } from "./json-value.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export function correlatedItem(list: StructuralSchema, item: Json, old: Json | undefined): Json | undefined {
  if (list["x-kubernetes-list-type"] !== "map" || !isJsonList(old) || !isJsonObject(item)) return undefined;
  const keys = list["x-kubernetes-list-map-keys"] ?? [];
  return old.find((one) => isJsonObject(one) && keys.every((key) => sameJson(one[key], item[key])));
}
