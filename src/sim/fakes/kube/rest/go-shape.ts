// What Go's types make of JSON when the real server decodes a built-in kind and writes it out again: there is no null, and
// lists and maps that are empty are left out. Structs stay, also empty ones. Fields without a declared shape are not touched.

import type { Json, JsonObject } from "../json.ts";
import { isJsonList, isJsonObject, mapFields, mapItems } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";

export function goShape(schema: StructuralSchema | undefined, object: JsonObject): JsonObject {
  return mapFields(object, (value, name) => {
    const field = fieldOf(schema, name);
    const kept = shapedValue(field, value);
    return kept === undefined || isLeftOut(field, kept) ? undefined : kept;
  });
}

function shapedValue(schema: StructuralSchema | undefined, value: Json | undefined): Json | undefined {
  if (schema === undefined || isShapeless(schema)) return value;
  if (isJsonList(value)) return mapItems(value, (item) => shapedValue(schema.items, item) ?? null);
  if (isJsonObject(value)) return isMap(schema) ? shapedMap(schema, value) : goShape(schema, value);
  if (schema.format === "quantity" && typeof value === "number") return String(value);
  if (schema.format === "micro-time" && typeof value === "string") return inUtc(value);
  return value ?? undefined;
}

/** What is no time stays as it is, for validation to refuse. */
function inUtc(text: string): string {
  const [, micros] = /\.(\d{6})[-+]\d\d:\d\d$/.exec(text) ?? [];
  const ms = Date.parse(text);
  if (micros === undefined || Number.isNaN(ms)) return text;
  return `${new Date(ms).toISOString().slice(0, 19)}.${micros}Z`;
}

/** A key stays whatever its value is: null becomes the zero of its type. */
function shapedMap({ additionalProperties }: StructuralSchema, map: JsonObject): JsonObject {
  const values = typeof additionalProperties === "object" ? additionalProperties : {};
  const zero = values.type === "string" ? "" : null;
  return mapFields(map, (value) => shapedValue(values, value) ?? zero);
}

function fieldOf(schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined {
  const properties = schema?.properties;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function isLeftOut(schema: StructuralSchema | undefined, value: Json): boolean {
  if (schema === undefined) return false;
  if (isJsonList(value)) return value.length === 0 && schema.items !== undefined;
  return isMap(schema) && isJsonObject(value) && Object.keys(value).length === 0;
}

function isMap({ properties, additionalProperties }: StructuralSchema): boolean {
  return properties === undefined && typeof additionalProperties === "object";
}

/** Values that Go keeps as they came: `default` and `enum` of a schema, `fieldsV1`, raw extensions. */
function isShapeless(schema: StructuralSchema): boolean {
  const { type, format, properties, items, additionalProperties } = schema;
  if (schema["x-kubernetes-preserve-unknown-fields"] === true) return true;
  if (format !== undefined) return false;
  return (type ?? "object") === "object" && properties === undefined && items === undefined && !additionalProperties;
}
