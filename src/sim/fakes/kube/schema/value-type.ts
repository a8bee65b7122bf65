// The JSON type of a value, by the names schemas and messages use.

import { isJsonList, type Json } from "./json-value.ts";

export type ValueType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

export function typeOfValue(value: Json): ValueType {
  if (value === null) return "null";
  if (isJsonList(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "string" : "object";
}
