// In which order a virtual address uses the source addresses of its group. It depends on the address alone, so that an address that comes or
// goes moves no connection of another; neighbours begin at different sources, so that a client that uses one port for both does not
// meet itself at an endpoint.

import ipaddr from "ipaddr.js";
import { familyOf, type IpFamily } from "../../../../core/net/ip.ts";

export function sourcesFor(address: string, family: IpFamily, sources: readonly string[]): readonly string[] {
  const own = sources.filter((source) => familyOf(source) === family);
  if (own.length < 2) return own;
  const first = remainder(address, own.length);
  return [...own.slice(first), ...own.slice(0, first)];
}

/** Of the address as a number. */
function remainder(address: string, divisor: number): number {
  return ipaddr
    .parse(address)
    .toByteArray()
    .reduce((rest, byte) => (rest * 256 + byte) % divisor, 0);
}
