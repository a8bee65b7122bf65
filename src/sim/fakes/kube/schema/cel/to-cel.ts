// JSON into CEL values, by type: integers become bigints, maps Maps, objects instances of their declared type.

import { Environment } from "@marcbachmann/cel-js";
import { isJsonList, isJsonObject, type Json } from "../json-value.ts";
import type { CelType } from "./cel-type.ts";
import { escapeName } from "./escape-name.ts";

export function toCel(type: CelType, value: Json): unknown {
  if (value === null) return null;
  switch (type.kind) {
    case "list":
      return isJsonList(value) ? value.map((item) => toCel(type.items, item)) : null;
    case "map":
      return isJsonObject(value) ? toMap(type.values, value) : null;
    case "object":
      return isJsonObject(value) ? toObject(type, value) : null;
    case "scalar":
      return toScalar(type.name, value);
  }
}

function toMap(values: CelType, object: Readonly<Record<string, Json | undefined>>): ReadonlyMap<string, unknown> {
  const map = new Map<string, unknown>();
  for (const [key, value] of Object.entries(object)) if (value !== undefined) map.set(key, toCel(values, value));
  return map;
}

function toObject(
  type: CelType & { readonly kind: "object" },
  object: Readonly<Record<string, Json | undefined>>,
): unknown {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of type.fields) {
    const value = object[name];
    const escaped = escapeName(name);
    if (value !== undefined && escaped !== undefined) fields[escaped] = toCel(field, value);
  }
  return Object.assign(type.create(), fields);
}

const durations = new Environment().registerVariable("text", "string").parse("duration(text)");

function toScalar(name: string, value: Json): unknown {
  if (name === "double") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== "string") return value;
  if (name === "google.protobuf.Timestamp") return new Date(value);
  if (name === "google.protobuf.Duration") return durations({ text: value });
  return name === "bytes" ? Uint8Array.from(atob(value), (character) => character.charCodeAt(0)) : value;
}
