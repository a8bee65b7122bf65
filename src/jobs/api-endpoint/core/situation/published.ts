// What the DNS records say that we publish now, whatever they should say: people follow these, and resolvers remember them.

import type { BalancerObserved } from "../model/observed.ts";
import { publicAddress } from "./public-address.ts";
import type { Situation } from "./situation.ts";
import type { WayIn } from "./ways-in.ts";

type Published = Pick<Situation, "observed" | "intent">;

/** Nobody is sent to it by us, where the records are somebody else's. */
export function isPublished(seen: BalancerObserved, { observed, intent }: Published): boolean {
  const { dnsEndpoint, isDnsEndpointForeign } = observed.object;
  if (!intent.publishDns || isDnsEndpointForeign === true) return false;
  const { address } = publicAddress(observed, seen);
  return address !== undefined && (dnsEndpoint?.addresses.includes(address) ?? false);
}

/** Ways through other balancers that people are sent to. */
export function publishedWays(
  { balancer }: BalancerObserved,
  situation: Published & Pick<Situation, "ways">,
): readonly WayIn[] {
  const { balancers } = situation.observed;
  if (!balancers.known) return [];
  const published = balancers.value.filter((other) => isPublished(other, situation)).map((other) => other.balancer.id);
  return situation.ways.filter(({ balancerId }) => balancerId !== balancer.id && published.includes(balancerId));
}
