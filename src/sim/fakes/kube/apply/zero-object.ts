// What an object is before anybody set anything. Built-in kinds have structs that are there even when empty, so nobody
// owns them; a custom resource starts from nothing but its kind.

import type { Json, JsonObject } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";

export function zeroObject(schema: StructuralSchema, like: JsonObject): JsonObject {
  return { apiVersion: like.apiVersion, kind: like.kind, ...structs(schema) };
}

function structs(schema: StructuralSchema): JsonObject {
  const present: Record<string, Json> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (field["x-mainstay-always-present"] === true) present[name] = structs(field);
  }
  return present;
}
