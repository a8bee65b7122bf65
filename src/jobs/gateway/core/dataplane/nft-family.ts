// What differs between IPv4 and IPv6 in nftables, as words: every rule and element is written once and read for both. What goes into a
// script passes through here or is a number: a text that is no address of the family is a broken promise of the caller's, never a statement.

import { invariant } from "../../../../core/errors.ts";
import { canonicalAddress, familyOf, type IpFamily } from "../../../../core/net/ip.ts";

export interface NftWords {
  readonly family: IpFamily;
  /** The table's family, and the protocol in expressions. */
  readonly ip: "ip" | "ip6";
  readonly addressType: "ipv4_addr" | "ipv6_addr";
  readonly icmp: "icmp" | "ipv6-icmp";
  readonly portUnreachable: string;
}

const four: NftWords = {
  family: 4,
  ip: "ip",
  addressType: "ipv4_addr",
  icmp: "icmp",
  portUnreachable: "icmp port-unreachable",
};

const six: NftWords = {
  family: 6,
  ip: "ip6",
  addressType: "ipv6_addr",
  icmp: "ipv6-icmp",
  portUnreachable: "icmpv6 port-unreachable",
};

export const nftFamilies: readonly NftWords[] = [four, six];

export const tableName = "mainstay";

export function wordsFor(address: string): NftWords {
  const family = familyOf(address);
  invariant(family !== undefined, `an address in a ruleset: ${JSON.stringify(address)}`);
  return family === 4 ? four : six;
}

/** In its one spelling. */
export function addressText(words: NftWords, address: string): string {
  const canonical = canonicalAddress(address);
  invariant(
    canonical !== undefined && familyOf(address) === words.family,
    `an address of the family ${words.ip} in a ruleset: ${JSON.stringify(address)}`,
  );
  return canonical;
}

export function portText(port: number): string {
  invariant(Number.isInteger(port) && port >= 1 && port <= 65_535, `a port in a ruleset: ${JSON.stringify(port)}`);
  return String(port);
}

export function hex(value: number): string {
  invariant(Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff, `32 bits in a ruleset: ${value}`);
  return `0x${value.toString(16)}`;
}
