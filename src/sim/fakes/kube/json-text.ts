// JSON values as text and back. Parsing throws what JSON.parse throws: callers say what was being read.

import type { Json } from "./json.ts";

/**
 * Definitions of kinds are the longest texts by far, and the same in every world of a process. Read once, they are one value, and what was
 * found out about it (that its schema is sound, its compiled rules) is known already: 45 of 57 ms that a world with six of them took to begin.
 */
const longText = 4_096;
const longOnes = new Map<string, Json>();

export function parseJsonText(text: string): Json {
  if (text.length < longText) return JSON.parse(text) as Json;
  const known = longOnes.get(text);
  if (known !== undefined) return known;
  const value = JSON.parse(text) as Json;
  if (longOnes.size >= 64) longOnes.clear();
  longOnes.set(text, value);
  return value;
}

/** A plain value as it reads, anything richer as JSON. Nothing for what is absent. */
export function textOf(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
