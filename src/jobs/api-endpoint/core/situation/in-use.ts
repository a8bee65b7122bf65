// Whether anybody may depend on a balancer. No field of status answers that: a move, a hand-over or a restore loses it. And a balancer in
// ERROR may forward traffic all the same, while what Octavia says of its members may be old.
//
//   what is below it cannot be read               may be in use
//   no listener with a pool                       not in use: it lets nobody in, such as one that failed as it was made
//   a member answers, or may                      may be in use
//   members, and none is seen to answer           where an address of it is known to anybody: a floating IP on its VIP, a record, an
//                                                 endpoint, or records that others keep
//   no members                                    where the endpoint names it, or a floating IP that we did not make leads to it

import { isDnsName } from "../../../../apis/text/dns-name.ts";
import { sameAddress } from "../../../../core/net/ip.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { isFloatingIpMade } from "../model/ownership.ts";
import { endpointHosts } from "./endpoint-holder.ts";
import { memberHealth, poolsOf } from "./health.ts";
import { floatingAddress, floatingIpOn, isFloatingIpDue } from "./public-address.ts";
import { publishesDns } from "./published.ts";

export function mayBeInUse(seen: BalancerObserved, observed: EndpointObserved): boolean {
  const { tree, balancer } = seen;
  if (!tree.known) return true;
  if (!tree.value.listeners.some(({ poolIds }) => poolIds.length > 0)) return false;
  if (isNamed(seen, observed)) return true;
  const members = poolsOf(seen).flatMap((pool) => pool.members);
  const mayAnswer = members.some((member) => memberHealth(member, balancer.provider, observed) !== "bad");
  return mayAnswer || (members.length > 0 && isAddressKnown(seen, observed));
}

/** Somebody stands behind one of its ports, for all that anybody can see. */
export function mayLetIn({ tree }: BalancerObserved): boolean {
  return !tree.known || tree.value.pools.some(({ members }) => members.length > 0);
}

/** By the cluster's endpoint, or by whoever put a floating IP on it. */
function isNamed(seen: BalancerObserved, observed: EndpointObserved): boolean {
  const { vipAddress, vipPortId } = seen.balancer;
  const attached = floatingIpOn(observed, vipPortId);
  if (attached !== undefined && !isFloatingIpMade(attached, observed.intent.ownerId ?? "")) return true;
  const own = [vipAddress, floatingAddress(observed, seen).address ?? ""].filter((address) => address !== "");
  return endpointHosts(observed.intent).some((host) => own.some((address) => sameAddress(host, address)));
}

/** To anybody: by records of ours, or of others as far as nobody can tell. */
function isAddressKnown(seen: BalancerObserved, observed: EndpointObserved): boolean {
  const { object, recorded } = observed;
  if (floatingAddress(observed, seen).is !== "missing") return true;
  const entry = [recorded.single, ...recorded.zones].find((one) => one?.id === seen.balancer.id);
  const published = [...(object.dnsEndpoint?.addresses ?? []), ...(entry?.dns?.addresses ?? [])];
  return (
    published.some((address) => sameAddress(address, seen.balancer.vipAddress)) || isInRecordsOfOthers(seen, observed)
  );
}

/** The cluster's name leads to VIPs, and who publishes them is not us. */
function isInRecordsOfOthers(seen: BalancerObserved, observed: EndpointObserved): boolean {
  return !publishesDns(observed) && !isFloatingIpDue(observed, seen) && endpointHosts(observed.intent).some(isDnsName);
}
