// While the DNS record of one that serves, or may, waits until others are read again (fresh-health.ts), the rest of the change is made: a
// zone in which nobody answers leaves, a new one is added, the name follows.

import { publishedNow } from "../dns/named-addresses.ts";
import type { EndpointAction } from "../model/action.ts";
import { publicAddress } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";

/** What is published and would not be any more, although people may come through it. */
export function inUseAndLeaving(
  addresses: readonly string[],
  { observed, maybeServing }: Situation,
): readonly string[] {
  const ids = new Set<string>(maybeServing.map(({ balancerId }) => balancerId));
  const balancers = observed.balancers.known ? observed.balancers.value : [];
  const inUse = balancers
    .filter(({ balancer }) => ids.has(balancer.id))
    .map((seen) => publicAddress(observed, seen).address);
  return publishedNow(observed).filter((address) => !addresses.includes(address) && inUse.includes(address));
}

/** Undefined where there is no rest. */
export function recordsMeanwhile(action: EndpointAction, situation: Situation): EndpointAction | undefined {
  if (action.kind !== "apply-dns-endpoint") return undefined;
  const addresses = [...action.addresses, ...inUseAndLeaving(action.addresses, situation)].toSorted();
  const there = situation.observed.object.dnsEndpoint;
  const isThere = there?.host === action.host && addresses.join(" ") === publishedNow(situation.observed).join(" ");
  return isThere ? undefined : { ...action, addresses };
}
