// IP addresses and ranges, parsed, with their family. What is not an address or a range is undefined: nothing here throws, and
// nothing guesses the family from characters of the text.

import ipaddr from "ipaddr.js";

export type IpFamily = 4 | 6;

export function familyOf(address: string): IpFamily | undefined {
  const parsed = parseAddress(address);
  return parsed === undefined ? undefined : parsed.kind() === "ipv4" ? 4 : 6;
}

/** What kind of address it is, in the words of ipaddr.js: `loopback`, `linkLocal`, `multicast`, `private`, `unicast` and others. */
export function rangeOf(address: string): string | undefined {
  return parseAddress(address)?.range();
}

/** The one spelling of an address; two texts of one address become equal. */
export function canonicalAddress(address: string): string | undefined {
  return parseAddress(address)?.toString();
}

export function sameAddress(one: string, other: string): boolean {
  return one === other || (canonicalAddress(one) ?? one) === (canonicalAddress(other) ?? other);
}

export function isIpLiteral(text: string): boolean {
  return parseAddress(text.replace(/^\[(.*)\]$/, "$1")) !== undefined;
}

export interface Cidr {
  /** Host bits masked, in one spelling. */
  readonly text: string;
  readonly family: IpFamily;
}

/** A range, or an address as the range of itself alone. */
export function parseCidr(text: string): Cidr | undefined {
  const range = parseRange(text);
  if (range === undefined) return undefined;
  const { base, length } = range;
  const masked = base.toByteArray().map((byte, index) => byte & maskOf(length - index * 8));
  return { text: `${ipaddr.fromByteArray(masked).toString()}/${length}`, family: base.kind() === "ipv4" ? 4 : 6 };
}

export function isInside(address: string, cidr: string): boolean {
  const parsed = parseAddress(address);
  const range = parseRange(cidr);
  if (parsed === undefined || range === undefined || range.base.kind() !== parsed.kind()) return false;
  return parsed.match([range.base, range.length]);
}

interface Range {
  /** Its host bits may be set. */
  readonly base: ipaddr.IPv4 | ipaddr.IPv6;
  readonly length: number;
}

function parseRange(text: string): Range | undefined {
  const [address = "", bits, ...more] = text.trim().split("/");
  const base = parseAddress(address);
  if (base === undefined || more.length > 0) return undefined;
  const width = base.kind() === "ipv4" ? 32 : 128;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return undefined;
  const length = bits === undefined ? width : Number(bits);
  return length > width ? undefined : { base, length };
}

/** How many leading bits of one byte are kept, as a mask. */
function maskOf(bitsLeft: number): number {
  return bitsLeft >= 8 ? 0xff : bitsLeft <= 0 ? 0 : (0xff << (8 - bitsLeft)) & 0xff;
}

// Octal, hexadecimal and shortened IPv4 are read differently by different programs.
const fourDecimals = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/;

/** A cluster's addresses are few, and each round asks about them again and again. */
const parsedAddresses = new Map<string, ipaddr.IPv4 | ipaddr.IPv6 | undefined>();
const maxParsed = 10_000;

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const known = parsedAddresses.get(text);
  if (known !== undefined || parsedAddresses.has(text)) return known;
  const parsed = newAddress(text);
  if (parsedAddresses.size >= maxParsed) parsedAddresses.clear();
  parsedAddresses.set(text, parsed);
  return parsed;
}

function newAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (fourDecimals.test(text)) {
    const bytes = text.split(".").map(Number);
    return bytes.every((byte) => byte <= 255) ? new ipaddr.IPv4(bytes) : undefined;
  }
  // Zones mean nothing elsewhere.
  return text.includes(":") && !text.includes("%") && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}
