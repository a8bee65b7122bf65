// Whether a balancer itself lets anybody through, beside the members behind it. Octavia's operating status of a balancer repeats the worst
// of its children; what is left when no child explains it is its own word. And Octavia can be wrong: where balancers are probed, what
// came of that counts first, also while what is below a balancer cannot be read.
//
//   probe             provisioning     operating           some pool is dead     the balancer
//   answered          any              any                 –                     lets people in
//   failed twice (a)  any              any                 –                     does not
//   –                 ERROR, and else  any                 –                     does not
//   –                 ACTIVE (b)       any, and its floating IP is in ERROR      does not
//   –                 ACTIVE (b)       OFFLINE (c)         –                     does not
//   –                 ACTIVE (b)       ERROR (c)           no                    does not
//   –                 ACTIVE (b)       ERROR               yes                   lets people in: it repeats that pool's state
//   –                 ACTIVE (b)       anything else       –                     lets people in
//
// (a) while another balancer's probe is answered: when none is, it is our own network that is broken.
// (b) or PENDING_UPDATE: it serves meanwhile.
// (c) while a member of the API port is ONLINE: before anything was checked, everything is OFFLINE.

import type { LoadBalancerId } from "../../../../core/openstack/ids.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { zoneTagOf } from "../model/ownership.ts";
import { childrenOn } from "./children.ts";
import { memberHealth, membersBehind, poolsOf, shouldServe } from "./health.ts";
import { machineOfMember } from "./machine-of-member.ts";
import { floatingIpOn } from "./public-address.ts";

export function letsPeopleIn(seen: BalancerObserved, observed: EndpointObserved): boolean {
  const { balancer, tree } = seen;
  if (!balancer.adminStateUp || !tree.known) return false;
  return isAnswered(balancer.id, observed) || (shouldServe(balancer) && downBecause(seen, observed) === undefined);
}

/** In words, of one that should serve: what says that it does not, whoever stands behind it. */
export function downBecause(seen: BalancerObserved, observed: EndpointObserved): string | undefined {
  const { balancer, tree } = seen;
  if (!shouldServe(balancer) || isAnswered(balancer.id, observed)) return undefined;
  if (isDeadByProbe(balancer.id, observed)) return unansweredWords;
  if (!tree.known) return undefined;
  const floatingIp = floatingIpOn(observed, balancer.vipPortId);
  if (floatingIp?.isInError === true)
    return `its floating IP ${floatingIp.address} is in ERROR: Neutron could not set it up`;
  // The tree's word is as old as what it says of the members.
  const { operatingStatus } = tree.value;
  const isOwnWord = operatingStatus === "OFFLINE" || (operatingStatus === "ERROR" && !hasDeadPool(seen, observed));
  if (!isOwnWord || !isAnyOnline(seen, observed)) return undefined;
  return `Octavia says ${operatingStatus} of the load balancer itself, although ${whoAnswers(seen, observed)} behind it`;
}

/** How many probes failed is not said: status would be written after each. */
export const unansweredWords = "nobody answers at its address: probes of it fail, and others are answered";

export function isAnswered(balancerId: LoadBalancerId, { probes }: EndpointObserved): boolean {
  return probes?.get(balancerId)?.failuresInARow === 0;
}

/** Octavia could not set up what its API port stands on: it may serve as it did before, and unless a probe is answered nobody can tell. */
export function isDoubtful(seen: BalancerObserved, observed: EndpointObserved): boolean {
  if (isAnswered(seen.balancer.id, observed)) return false;
  return childrenOn(seen, [observed.intent.apiPort]).some(
    ({ what, provisioningStatus }) => provisioningStatus === "ERROR" && (what === "listener" || what === "pool"),
  );
}

/** While another balancer's probe is answered: when none is, it is our own network that is broken. */
export function isDeadByProbe(balancerId: LoadBalancerId, observed: EndpointObserved): boolean {
  return isProbeBad(observed.probes?.get(balancerId)?.failuresInARow ?? 0) && isAnyAnswered(observed);
}

/** One may be lost on its way. */
export const failuresThatCount = 2;

export function isProbeBad(failuresInARow: number): boolean {
  return failuresInARow >= failuresThatCount;
}

function isAnyAnswered({ probes }: EndpointObserved): boolean {
  return [...(probes ?? new Map<string, never>()).values()].some(({ failuresInARow }) => failuresInARow === 0);
}

function hasDeadPool(seen: BalancerObserved, observed: EndpointObserved): boolean {
  const isBad = (member: Parameters<typeof memberHealth>[0]) =>
    memberHealth(member, seen.balancer.provider, observed) === "bad";
  return poolsOf(seen).some(
    ({ operatingStatus, members }) => operatingStatus === "ERROR" || (members.length > 0 && members.every(isBad)),
  );
}

/** Of a zone whose own machines are lost, that others answer is no comfort: they are named as such. */
function whoAnswers(seen: BalancerObserved, observed: EndpointObserved): string {
  const zone = zoneTagOf(seen.balancer.tags);
  const online = membersBehind(seen, observed.intent.apiPort).filter(
    ({ operatingStatus }) => operatingStatus === "ONLINE",
  );
  const machines = online.map((member) => machineOfMember(observed, member));
  const isOfOthers = machines.every((machine) => typeof machine !== "string" && machine.zone !== zone);
  return zone !== undefined && isOfOthers ? "machines of other zones answer" : "machines answer";
}

function isAnyOnline(seen: BalancerObserved, { intent }: EndpointObserved): boolean {
  return membersBehind(seen, intent.apiPort).some(({ operatingStatus }) => operatingStatus === "ONLINE");
}
