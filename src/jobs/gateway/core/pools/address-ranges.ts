// Addresses as numbers: ranges that people wrote, merged and in order, so that a range of any size is searched without being listed.

import ipaddr from "ipaddr.js";
import { familyOf, type IpFamily, parseCidr } from "../../../../core/net/ip.ts";

export interface AddressRange {
  readonly family: IpFamily;
  readonly from: bigint;
  /** Included. */
  readonly to: bigint;
}

/** `192.0.2.7`, `192.0.2.10-192.0.2.20` or `192.0.2.32/28`. A range that ends before it begins is none. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [first = "", last, ...more] = text.split("-").map((part) => part.trim());
  if (more.length > 0) return undefined;
  if (last === undefined) return prefixRange(first);
  const [family, from, to] = [familyOf(first), addressNumber(first), addressNumber(last)];
  if (family === undefined || familyOf(last) !== family || from === undefined || to === undefined) return undefined;
  return from <= to ? { family, from, to } : undefined;
}

function prefixRange(text: string): AddressRange | undefined {
  const cidr = parseCidr(text);
  const [base = "", bits = ""] = cidr?.text.split("/") ?? [];
  const from = addressNumber(base);
  if (cidr === undefined || from === undefined) return undefined;
  const free = BigInt((cidr.family === 4 ? 32 : 128) - Number(bits));
  return { family: cidr.family, from, to: from + (1n << free) - 1n };
}

export function addressNumber(address: string): bigint | undefined {
  if (familyOf(address) === undefined) return undefined;
  const bytes = ipaddr.parse(address).toByteArray();
  // Sixteen hexadecimal digits at once are faster than sixteen shifts.
  return BigInt(`0x${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`);
}

export function addressText(family: IpFamily, number: bigint): string {
  const digits = number.toString(16).padStart(family === 4 ? 8 : 32, "0");
  const bytes = (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return ipaddr.fromByteArray(bytes).toString();
}

/** What can be read of the texts, in order, without overlaps. */
export function addressRanges(texts: readonly string[]): readonly AddressRange[] {
  const merged: AddressRange[] = [];
  for (const range of texts.flatMap((text) => parseAddressRange(text) ?? []).toSorted(byStart)) {
    const last = merged.at(-1);
    if (last === undefined || last.family !== range.family || range.from > last.to + 1n) merged.push(range);
    else merged[merged.length - 1] = { ...last, to: range.to > last.to ? range.to : last.to };
  }
  return merged;
}

function byStart(a: AddressRange, b: AddressRange): number {
  return a.family - b.family || (a.from < b.from ? -1 : a.from > b.from ? 1 : 0);
}

export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  const [family, number] = [familyOf(address), addressNumber(address)];
  return number !== undefined && ranges.some((one) => one.family === family && one.from <= number && number <= one.to);
}

export function doOverlap(a: AddressRange, b: AddressRange): boolean {
  return a.family === b.family && a.from <= b.to && b.from <= a.to;
}
