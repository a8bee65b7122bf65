// Takes a set of fields out of a value. What becomes empty goes too; atomic pieces go whole or not at all.

import { isJsonList, isJsonObject, type Json, type JsonObject, presentFields } from "../schema/json-value.ts";
import { below, type FieldSet, isEmptySet } from "./field-set.ts";
import { isAtomicMap, listShape, type MergeType, typeOfField, typeOfItem } from "./merge-type.ts";
import { fieldElement, itemElement } from "./path-element.ts";

export function removeFields(type: MergeType, value: Json, fields: FieldSet): Json {
  if (isJsonList(value)) return removeItems(type, value, fields);
  if (!isJsonObject(value)) return value;
  return removeFromMap(type, value, fields);
}

function removeItems(type: MergeType, list: readonly Json[], fields: FieldSet): Json {
  const shape = listShape(type);
  if (list.length === 0 || shape.kind === "atomic") return null;
  const kept: Json[] = [];
  for (const item of list) {
    const key = itemElement(shape, item);
    if (key !== undefined && fields.members.has(key)) continue;
    const inner = key === undefined ? undefined : below(fields, key);
    kept.push(inner === undefined || isEmptySet(inner) ? item : removeFields(typeOfItem(type), item, inner));
  }
  return kept.length > 0 ? kept : null;
}

function removeFromMap(type: MergeType, map: JsonObject, fields: FieldSet): Json {
  if (isAtomicMap(type)) return null;
  const kept: Record<string, Json> = {};
  for (const name of presentFields(map)) {
    const element = fieldElement(name);
    const value = map[name] ?? null;
    const inner = below(fields, element);
    if (fields.members.has(element)) continue;
    kept[name] = isEmptySet(inner)
      ? value
      : removeFields(typeOfField(type, name) ?? { schema: {}, preserving: true }, value, inner);
  }
  return Object.keys(kept).length > 0 ? kept : null;
}
