// What the DNS records say that we publish now, whatever they should say: people follow these, and resolvers remember them.

import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { publicAddress } from "./public-address.ts";
import type { Situation } from "./situation.ts";
import type { WayIn } from "./ways-in.ts";

/** The cluster's records are ours, and not somebody else's. */
export function publishesDns({ intent, object }: EndpointObserved): boolean {
  return intent.publishDns && object.foreignDnsEndpoint === undefined;
}

/** People are sent to it, by us. */
export function isPublished(seen: BalancerObserved, observed: EndpointObserved): boolean {
  if (!publishesDns(observed)) return false;
  const { address } = publicAddress(observed, seen);
  return address !== undefined && (observed.object.dnsEndpoint?.addresses.includes(address) ?? false);
}

/** Those of the ways that lead through balancers that people are sent to. */
export function publishedOf(ways: readonly WayIn[], observed: EndpointObserved): readonly WayIn[] {
  const balancers = observed.balancers.known ? observed.balancers.value : [];
  const published = new Set(balancers.filter((one) => isPublished(one, observed)).map(({ balancer }) => balancer.id));
  return ways.filter(({ balancerId }) => published.has(balancerId));
}

/** Ways through other balancers that people are sent to. */
export function otherPublishedWays(
  { balancer }: BalancerObserved,
  { observed, ways }: Pick<Situation, "observed" | "ways">,
): readonly WayIn[] {
  return publishedOf(ways, observed).filter(({ balancerId }) => balancerId !== balancer.id);
}
