// Addresses that packets cannot be sent on to, whoever asks for it.

import { rangeOf } from "../../../../core/net/ip.ts";

const unusable: Readonly<Record<string, string>> = {
  loopback: "is a loopback address",
  linkLocal: "is a link-local address",
  multicast: "is a multicast address",
  broadcast: "is the broadcast address",
  unspecified: "is the unspecified address",
  ipv4Mapped: "is an IPv4 address within IPv6",
};

/** Undefined: it can be used. */
export function whyUnusable(address: string): string | undefined {
  const range = rangeOf(address);
  return range === undefined ? "is no address" : unusable[range];
}
