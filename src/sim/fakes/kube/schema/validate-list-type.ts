// Lists that are sets or maps hold each value or key once.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { duplicate, itemPath } from "../field-cause.ts";
import { isJsonList, isJsonObject, type Json } from "./json-value.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export function duplicateItems(schema: StructuralSchema, value: Json, path: string): readonly FieldCause[] {
  const listType = schema["x-kubernetes-list-type"];
  if (!isJsonList(value) || (listType !== "set" && listType !== "map")) return [];
  const identify = listType === "set" ? (item: Json): Json => item : keyOf(schema);
  const seen = new Set<string>();
  return value.flatMap((item, index) => {
    const identity = identify(item);
    const text = JSON.stringify(identity);
    if (!seen.has(text)) {
      seen.add(text);
      return [];
    }
    return [duplicate(itemPath(path, index), identity)];
  });
}

function keyOf(schema: StructuralSchema): (item: Json) => Json {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  return (item) => {
    if (!isJsonObject(item)) return item;
    const key: Record<string, Json> = {};
    for (const name of keys) {
      const value = item[name];
      if (value !== undefined) key[name] = value;
    }
    return key;
  };
}
