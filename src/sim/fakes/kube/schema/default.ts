// Fills in the defaults of a schema, wherever the object around them is there. A null where null is not allowed gives
// way to the default; without a default it is as good as absent. Metadata has no defaults.

import { isJsonList, isJsonObject, type Json, type JsonObject, mapFields, mapItems } from "./json-value.ts";
import { settledValues } from "./settled-values.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export function applyDefaults(schema: StructuralSchema, value: JsonObject): JsonObject {
  const { metadata, ...rest } = value;
  const filled = defaultFields(schema, rest, true);
  return metadata === undefined ? filled : { ...filled, metadata };
}

function defaultFields(schema: StructuralSchema, value: JsonObject, isRoot = false): JsonObject {
  const { properties = {}, additionalProperties } = schema;
  const others = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const filled = mapFields(value, (field, name) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : others;
    return field === undefined ? undefined : defaultValue(inner, field);
  });
  const absent: Record<string, Json> = {};
  for (const name of Object.keys(properties)) {
    const field = properties[name];
    if (field?.default === undefined || filled[name] !== undefined || (isRoot && name === "metadata")) continue;
    absent[name] = defaultInside(field, field.default);
  }
  return Object.keys(absent).length === 0 ? filled : { ...filled, ...absent };
}

/** Undefined: the field goes. */
function defaultValue(schema: StructuralSchema | undefined, value: Json): Json | undefined {
  if (value !== null || schema === undefined || schema.nullable === true) return defaultInside(schema, value);
  return schema.default === undefined ? undefined : defaultInside(schema, schema.default);
}

/** That lack no default. */
const filledIn = settledValues();

function defaultInside(schema: StructuralSchema | undefined, value: Json): Json {
  if (schema === undefined || filledIn.has(schema, value)) return value;
  const filled = insideFilled(schema, value);
  if (filled === value) filledIn.add(schema, value);
  return filled;
}

function insideFilled(schema: StructuralSchema, value: Json): Json {
  if (isJsonList(value)) return mapItems(value, (item) => defaultItem(schema.items, item));
  return isJsonObject(value) ? defaultFields(schema, value) : value;
}

/** A null item keeps its place, so that validation can complain about it. */
function defaultItem(schema: StructuralSchema | undefined, item: Json): Json {
  if (item === null && schema !== undefined && schema.nullable !== true) return schema.default ?? null;
  return defaultInside(schema, item);
}
