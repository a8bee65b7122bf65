// Fills in the defaults of a schema, wherever the object around them is there. A null where null is not allowed gives
// way to the default; without a default it is as good as absent. Metadata has no defaults.

import { isJsonList, isJsonObject, type Json, type JsonObject } from "./json-value.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export function applyDefaults(schema: StructuralSchema, value: JsonObject): JsonObject {
  const { metadata, ...rest } = value;
  const { metadata: _, ...properties } = schema.properties ?? {};
  const filled = defaultFields({ ...schema, properties }, rest);
  return metadata === undefined ? filled : { ...filled, metadata };
}

function defaultFields(schema: StructuralSchema, value: JsonObject): JsonObject {
  const { properties = {}, additionalProperties } = schema;
  const filled: Record<string, Json> = {};
  for (const [name, field] of Object.entries(value)) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const inner = declared ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
    const result = field === undefined ? undefined : defaultValue(inner, field);
    if (result !== undefined) filled[name] = result;
  }
  for (const [name, field] of Object.entries(properties)) {
    if (filled[name] === undefined && field.default !== undefined) filled[name] = defaultInside(field, field.default);
  }
  return filled;
}

/** Undefined: the field goes. */
function defaultValue(schema: StructuralSchema | undefined, value: Json): Json | undefined {
  if (value !== null || schema === undefined || schema.nullable === true) return defaultInside(schema, value);
  return schema.default === undefined ? undefined : defaultInside(schema, schema.default);
}

function defaultInside(schema: StructuralSchema | undefined, value: Json): Json {
  if (schema === undefined) return value;
  if (isJsonList(value)) return value.map((item) => defaultItem(schema.items, item));
  return isJsonObject(value) ? defaultFields(schema, value) : value;
}

/** A null item keeps its place, so that validation can complain about it. */
function defaultItem(schema: StructuralSchema | undefined, item: Json): Json {
  if (item === null && schema !== undefined && schema.nullable !== true) return schema.default ?? null;
  return defaultInside(schema, item);
}
