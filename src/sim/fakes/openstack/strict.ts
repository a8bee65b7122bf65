// What the services refuse before they look at anything else: unknown fields, too long texts, numbers out of range. Always 400.

import { refuse } from "./cloud-fault.ts";

const longest = 255;

export function checkKnown(what: string, fields: object, known: readonly string[]): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined) refuse(400, `Unknown attribute ${unknown} of ${what}`);
}

export function checkLength(what: string, text: string): void {
  if (text.length > longest) refuse(400, `Value of ${what} is longer than ${longest} characters`);
}

export function checkTags(tags: readonly string[]): void {
  for (const tag of tags) checkLength("a tag", tag);
}

export function checkRange(what: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined) return;
  if (!Number.isInteger(value) || value < least || value > most)
    refuse(400, `Value ${value} of ${what} is not between ${least} and ${most}`);
}
