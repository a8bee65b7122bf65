// What the services refuse before they check anything else: unknown fields, too long texts, numbers out of range, with 400; and what
// only their databases refuse, with 500: characters of four bytes, numbers of more than 32 bits, tags that are one to a database.

import { isSameTag } from "../../../apis/openstack/tag-text.ts";
import { refuse } from "./cloud-fault.ts";

const longest = 255;

export function checkKnown(what: string, fields: object, known: readonly string[]): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined) refuse(400, `Unknown attribute ${unknown} of ${what}`);
}

export function checkText(what: string, text: string): void {
  if (text.length > longest) refuse(400, `Value of ${what} is longer than ${longest} characters`);
  if (/[\ud800-\udfff]/.test(text)) refuse(500, `Incorrect string value for column '${what}'`);
}

/** Octavia's; Neutron has another answer to duplicates. */
export function checkTags(tags: readonly string[]): void {
  for (const tag of tags) checkText("tag", tag);
  const duplicate = duplicateTag(tags);
  if (duplicate !== undefined) refuse(500, `Duplicate entry '${duplicate}' for key 'PRIMARY'`);
}

/** The second of two that the database takes for one. */
export function duplicateTag(tags: readonly string[]): string | undefined {
  return tags.find((tag, i) => tags.slice(0, i).some((earlier) => isSameTag(earlier, tag)));
}

export function checkRange(what: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined) return;
  if (!Number.isInteger(value) || value < least || value > most)
    refuse(400, `Value ${value} of ${what} is not between ${least} and ${most}`);
}

export function checkSeconds(what: string, value: number | undefined): void {
  checkRange(what, value, 0, Number.MAX_SAFE_INTEGER);
  if ((value ?? 0) > 0x7fff_ffff) refuse(500, `Out of range value for column '${what}'`);
}
