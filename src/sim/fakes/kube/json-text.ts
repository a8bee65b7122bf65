// JSON values as text and back. Parsing throws what JSON.parse throws: callers say what was being read.

import type { Json } from "./json.ts";

export function parseJsonText(text: string): Json {
  return JSON.parse(text) as Json;
}

/** A plain value as it reads, anything richer as JSON. Nothing for what is absent. */
export function textOf(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
