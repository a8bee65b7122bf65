// Whether people can be sent to a balancer, for its DNS records.
//
//   probes of its address fail                                             bad
//   what is below it cannot be read                                        unknown; `answersUnread` says whether probes are answered
//   it lets people in, and its listener is open                            as its members: the best of them
//   its listener is open, and it is in ERROR or down by Octavia's word,    may serve, while a member answers or may
//   or with its listener or pool in ERROR
//   else                                                                   bad
//
// Members whose Machine is gone, or that others put there, count for nothing, as in ways-in.ts: they are taken out in a moment.

import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { isAnswered, isDeadByProbe, isDoubtful, letsPeopleIn } from "../situation/balancer-health.ts";
import { bestHealth, isOpen, memberHealth, membersBehind } from "../situation/health.ts";
import { isNobodys, machineOfMember } from "../situation/machine-of-member.ts";
import type { DnsHealth } from "./dns-records.ts";

export function dnsHealth(seen: BalancerObserved | undefined, observed: EndpointObserved): DnsHealth {
  if (seen === undefined || isDeadByProbe(seen.balancer.id, observed)) return "bad";
  if (!seen.tree.known) return "unknown";
  const { apiPort } = observed.intent;
  if (!isOpen(seen, apiPort)) return "bad";
  const members = membersBehind(seen, apiPort).filter((member) => !isNobodys(observed, member));
  const behind = bestHealth(members.map((member) => memberHealth(member, seen.balancer.provider, observed)));
  if (letsPeopleIn(seen, observed) && !isDoubtful(seen, observed)) return behind;
  return behind !== "bad" && mayLetIn(seen) ? "may serve" : "bad";
}

/** Nobody can look below it, and somebody answers at its address. */
export function answersUnread(seen: BalancerObserved | undefined, observed: EndpointObserved): boolean {
  return seen !== undefined && !seen.tree.known && isAnswered(seen.balancer.id, observed);
}

/** Nobody switched it off, it is neither being made nor deleted, and Octavia alone says that it is broken. */
function mayLetIn({ balancer }: BalancerObserved): boolean {
  return ["ACTIVE", "PENDING_UPDATE", "ERROR"].includes(balancer.provisioningStatus) && balancer.adminStateUp;
}

/** Whose machine is on its way out may be gone in a moment. Without machines every member counts. */
export function lasts(seen: BalancerObserved | undefined, observed: EndpointObserved): boolean {
  if (seen === undefined) return false;
  return membersBehind(seen, observed.intent.apiPort).some((member) => {
    const machine = machineOfMember(observed, member);
    const stays = !isNobodys(observed, member) && (typeof machine === "string" || !machine.deleting);
    return stays && memberHealth(member, seen.balancer.provider, observed) === "good";
  });
}
