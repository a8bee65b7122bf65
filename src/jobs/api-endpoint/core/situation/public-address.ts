// Where people reach a balancer, also while Neutron is away. The one answer for everything that publishes, counts or remembers addresses.
//
//   floating IPs can    seen                                       not be seen
//   its address         the one on its VIP                         the one that status remembers of this very balancer
//   else                its VIP where no floating IP is due,       its VIP where no floating IP is due,
//                       or `missing`                               or `unseen`: it may have one that nobody remembers

import { familyOf } from "../../../../core/net/ip.ts";
import type { FloatingIp } from "../../../../core/openstack/neutron-objects.ts";
import type { BalancerObserved, EndpointObserved, RecordedBalancer } from "../model/observed.ts";
import { isFloatingIpMade } from "../model/ownership.ts";

export type PublicAddress =
  | { readonly is: "there" | "remembered"; readonly address: string }
  | { readonly is: "missing" | "unseen"; readonly address?: undefined };

export function publicAddress(observed: EndpointObserved, seen: BalancerObserved | undefined): PublicAddress {
  if (seen === undefined) return { is: "missing" };
  const floating = floatingAddress(observed, seen);
  const { vipAddress } = seen.balancer;
  if (floating.address !== undefined || isFloatingIpDue(observed, seen) || vipAddress === "") return floating;
  return { is: "there", address: vipAddress };
}

/** Of the floating IP alone, whether one is due or not. */
export function floatingAddress(observed: EndpointObserved, { balancer }: BalancerObserved): PublicAddress {
  const { floatingIps, recorded } = observed;
  if (floatingIps.known) {
    const address = floatingIpOn(observed, balancer.vipPortId)?.address;
    return address === undefined ? { is: "missing" } : { is: "there", address };
  }
  const before = [recorded.single, ...recorded.zones].find((entry) => hadAddress(entry, balancer.id))?.address;
  return before === undefined ? { is: "unseen" } : { is: "remembered", address: before };
}

/** What is remembered of addresses is about this very balancer, and not about the one that was there before it. */
export function hadAddress(entry: RecordedBalancer | undefined, balancerId: string | undefined): boolean {
  return entry?.id !== undefined && entry.id === balancerId && entry.isAddressDetached !== true;
}

/**
 * Of several, which people can put there: the one that status knows, so that an address does not change by itself; else the one that the
 * user names, one that we made, the lowest.
 */
export function floatingIpOn(observed: EndpointObserved, portId: string): FloatingIp | undefined {
  const { floatingIps, recorded, intent } = observed;
  if (!floatingIps.known) return undefined;
  const known = new Set([recorded.single, ...recorded.zones].map((entry) => entry?.address));
  const rank = (one: FloatingIp): string =>
    [
      known.has(one.address) ? 0 : 1,
      one.address === intent.floatingIp.address ? 0 : 1,
      isFloatingIpMade(one, intent.ownerId ?? "") ? 0 : 1,
      one.address,
    ].join(" ");
  const [first] = floatingIps.value
    .filter((candidate) => candidate.portId === portId)
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return first;
}

export function isFloatingIpDue({ intent }: EndpointObserved, { balancer }: BalancerObserved): boolean {
  return intent.floatingIp.enabled && familyOf(balancer.vipAddress) !== 6;
}
