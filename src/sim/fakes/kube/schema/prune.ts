// Drops fields a schema does not know, and says which. Metadata of the object and of embedded resources is not pruned
// here by the CRD's schema: its fields are the same for all kinds.

import { childPath, itemPath } from "../field-cause.ts";
import { objectMetaSchema } from "../kinds/builtin-schemas.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, mapFields, mapItems } from "./json-value.ts";
import { settledValues } from "./settled-values.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export interface Pruned {
  readonly value: JsonObject;
  /** Paths such as `spec.ports[0].junk`, sorted. */
  readonly unknownFields: readonly string[];
}

export function prune(schema: StructuralSchema, value: JsonObject): Pruned {
  const unknown: string[] = [];
  return { value: pruneMap(schema, value, "", unknown, true), unknownFields: unknown.sort() };
}

/** An object at `path` that is no resource, with what was dropped. */
export function pruneFields(schema: StructuralSchema, value: JsonObject, path: string): Pruned {
  const unknown: string[] = [];
  return { value: pruneMap(schema, value, path, unknown), unknownFields: unknown.sort() };
}

/** A value that is no resource: nothing in it is metadata. */
export function pruneInside(schema: StructuralSchema, value: Json): Json {
  return pruneValue(schema, value, "", []);
}

/** That have no field which the schema does not know. */
const known = settledValues();

function pruneValue(schema: StructuralSchema = nothing, value: Json, path: string, unknown: string[]): Json {
  if (known.has(schema, value)) return value;
  const pruned = prunedValue(schema, value, path, unknown);
  if (pruned === value) known.add(schema, value);
  return pruned;
}

function prunedValue(schema: StructuralSchema, value: Json, path: string, unknown: string[]): Json {
  if (isJsonList(value)) {
    if (schema.items === undefined && preserves(schema)) return value;
    return mapItems(value, (item, i) => pruneValue(schema.items, item, itemPath(path, i), unknown));
  }
  return isJsonObject(value) ? pruneMap(schema, value, path, unknown) : value;
}

const nothing: StructuralSchema = {};

function pruneMap(
  schema: StructuralSchema,
  value: JsonObject,
  path: string,
  unknown: string[],
  isResource = schema["x-kubernetes-embedded-resource"] === true,
): JsonObject {
  return mapFields(value, (field, name) => {
    if (field === undefined) return undefined;
    const inner = fieldSchema(schema, name, isResource);
    if (inner === "as is") return field;
    if (inner !== undefined && typeof field !== "object") return field;
    const at = childPath(path, name);
    if (inner !== undefined) return pruneValue(inner, field, at, unknown);
    unknown.push(at);
    return undefined;
  });
}

function fieldSchema(
  schema: StructuralSchema,
  name: string,
  isResource: boolean,
): StructuralSchema | "as is" | undefined {
  if (isResource) {
    if (name === "metadata") return objectMetaSchema();
    if (name === "apiVersion" || name === "kind") return "as is";
  }
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  if (typeof additionalProperties === "object") return additionalProperties;
  if (additionalProperties === true || preserves(schema)) return "as is";
  return undefined;
}

function preserves(schema: StructuralSchema): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true;
}
