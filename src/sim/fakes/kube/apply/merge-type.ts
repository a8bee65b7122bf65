// How a schema says values merge: which lists are sets or maps, which maps are one piece, what is not typed at all.
// Fields without a declared shape are deduced from their value: maps merge field by field, lists are one piece.

import { isJsonList, isJsonObject, type Json } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";

export interface MergeType {
  readonly schema: StructuralSchema;
  /** An ancestor preserves unknown fields, so undeclared fields below have a deduced type. */
  readonly preserving: boolean;
}

export type ListShape =
  | { readonly kind: "atomic" }
  | { readonly kind: "set" }
  | { readonly kind: "map"; readonly keys: readonly string[]; readonly defaults: Readonly<Record<string, Json>> };

export type Shape = "scalar" | "list" | "map";

const deduced: MergeType = { schema: { "x-kubernetes-preserve-unknown-fields": true }, preserving: true };

export function mergeType(schema: StructuralSchema, preserving = false): MergeType {
  return { schema, preserving: preserving || schema["x-kubernetes-preserve-unknown-fields"] === true };
}

/** What the value is under this type. Null takes the declared shape, a map before a scalar before a list. */
export function shapeOf(type: MergeType, value: Json | undefined): Shape {
  const declared = type.schema.type;
  if (value !== null && value !== undefined) return isJsonList(value) ? "list" : isJsonObject(value) ? "map" : "scalar";
  if (declared === undefined || declared === "object") return "map";
  return declared === "array" ? "list" : "scalar";
}

export function isAtomicMap(type: MergeType): boolean {
  return type.schema["x-kubernetes-map-type"] === "atomic";
}

export function isNamedField(type: MergeType, name: string): boolean {
  return Object.hasOwn(type.schema.properties ?? {}, name);
}

/** The type of a field, or undefined when the schema has no place for it. */
export function typeOfField(type: MergeType, name: string): MergeType | undefined {
  const { properties, additionalProperties } = type.schema;
  const declared = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (declared !== undefined) return mergeType(declared, type.preserving);
  if (typeof additionalProperties === "object") return mergeType(additionalProperties, type.preserving);
  if (additionalProperties !== undefined) return additionalProperties ? deduced : undefined;
  return type.preserving || Object.keys(properties ?? {}).length === 0 ? deduced : undefined;
}

export function typeOfItem(type: MergeType): MergeType {
  return type.schema.items === undefined ? deduced : mergeType(type.schema.items, type.preserving);
}

export function listShape(type: MergeType): ListShape {
  const listType = type.schema["x-kubernetes-list-type"];
  const keys = type.schema["x-kubernetes-list-map-keys"] ?? [];
  if (listType === "map") return mapShape(type, keys);
  if (listType === "set") return { kind: "set" };
  if (listType === "atomic") return { kind: "atomic" };
  if (!/^merge\b/.test(type.schema["x-kubernetes-patch-strategy"] ?? "")) return { kind: "atomic" };
  const mergeKey = type.schema["x-kubernetes-patch-merge-key"];
  return mergeKey === undefined ? { kind: "set" } : mapShape(type, [mergeKey]);
}

function mapShape(type: MergeType, keys: readonly string[]): ListShape {
  const properties = type.schema.items?.properties ?? {};
  const defaults: Record<string, Json> = {};
  for (const key of keys) {
    const value = properties[key]?.default;
    if (value !== undefined) defaults[key] = value;
  }
  return { kind: "map", keys, defaults };
}
