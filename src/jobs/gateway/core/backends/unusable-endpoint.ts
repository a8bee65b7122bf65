// Addresses that gateways must not send connections to, whatever an EndpointSlice says: their own, a Service's, and those that mean
// something else on every machine. Anybody who may write an EndpointSlice could otherwise reach what only the gateway itself reaches.

import { canonicalAddress, isInside } from "../../../../core/net/ip.ts";

const meanings: readonly (readonly [cidr: string, meaning: string])[] = [
  ["0.0.0.0/8", "is no machine's address"],
  ["127.0.0.0/8", "is loopback"],
  ["169.254.0.0/16", "is link-local"],
  ["224.0.0.0/4", "is multicast"],
  ["240.0.0.0/4", "is reserved or broadcast"],
  ["::/128", "is no machine's address"],
  ["::1/128", "is loopback"],
  ["::ffff:0:0/96", "is IPv4 written as IPv6"],
  ["fe80::/10", "is link-local"],
  ["ff00::/8", "is multicast"],
];

export interface ForbiddenAddresses {
  readonly ofGateways: ReadonlySet<string>;
  /** Of Services, and the source addresses of groups. */
  readonly virtual: ReadonlySet<string>;
}

export type EndpointCheck = (address: string) => string | undefined;

/** Why an address cannot be an endpoint, in words; undefined: it can. It remembers: the same addresses are asked about again and again. */
export function endpointCheck({ ofGateways, virtual }: ForbiddenAddresses): EndpointCheck {
  const known = new Map<string, string | undefined>();
  const look = (text: string): string | undefined => {
    const address = canonicalAddress(text);
    if (address === undefined) return "is no address";
    if (ofGateways.has(address)) return "is a gateway's own";
    if (virtual.has(address)) return "is an address of the gateways for Services";
    return meanings.find(([cidr]) => isInside(address, cidr))?.[1];
  };
  return (text) => {
    if (!known.has(text)) known.set(text, look(text));
    return known.get(text);
  };
}
