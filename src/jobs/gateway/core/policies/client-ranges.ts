// Sets of client addresses as lists of CIDRs: what is left of one after another is taken away, and what two have in common.

import ipaddr from "ipaddr.js";
import { type IpFamily, parseCidr } from "../../../../core/net/ip.ts";

/** "any": every address there is. */
export type AddressRanges = "any" | readonly AddressRange[];

export interface AddressRange {
  readonly family: IpFamily;
  readonly first: bigint;
  /** Bits of the prefix. */
  readonly length: number;
}

/** Undefined for a text that is no CIDR. */
export function addressRange(text: string): AddressRange | undefined {
  const cidr = parseCidr(text);
  if (cidr === undefined) return undefined;
  const [address = "", length] = cidr.text.split("/");
  const first = ipaddr
    .parse(address)
    .toByteArray()
    .reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return { family: cidr.family, first, length: Number(length) };
}

export function rangeText({ family, first, length }: AddressRange): string {
  const size = family === 4 ? 4 : 16;
  const bytes = Array.from({ length: size }, (_, index) => Number((first >> BigInt((size - 1 - index) * 8)) & 0xffn));
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`;
}

export function without(range: AddressRange, taken: AddressRange): readonly AddressRange[] {
  if (covers(taken, range)) return [];
  if (!covers(range, taken)) return [range];
  return halves(range).flatMap((half) => without(half, taken));
}

export function common(one: AddressRanges, other: AddressRanges): AddressRanges {
  if (one === "any") return other;
  if (other === "any") return one;
  return one.flatMap((a) => other.flatMap((b) => (covers(a, b) ? [b] : covers(b, a) ? [a] : [])));
}

function covers(wide: AddressRange, narrow: AddressRange): boolean {
  if (wide.family !== narrow.family || wide.length > narrow.length) return false;
  const bits = BigInt(widthOf(wide) - wide.length);
  return wide.first >> bits === narrow.first >> bits;
}

function halves(range: AddressRange): readonly AddressRange[] {
  const length = range.length + 1;
  return [
    { ...range, length },
    { ...range, length, first: range.first + (1n << BigInt(widthOf(range) - length)) },
  ];
}

function widthOf({ family }: AddressRange): number {
  return family === 4 ? 32 : 128;
}
