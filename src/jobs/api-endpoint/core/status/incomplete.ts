// What a balancer that is not whole lacks, in words, where the round itself has nothing to say about it: the change that makes it whole
// is under way.

import type { Word } from "../../../../core/reasons.ts";
import { pendingWords } from "../balancer/waits.ts";
import { portWords } from "../model/port.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { downBecause } from "../situation/balancer-health.ts";
import { childWords } from "../situation/children.ts";
import { portOf } from "../situation/health.ts";
import { publicAddress } from "../situation/public-address.ts";
import { brokenChildren } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";

export interface Lacking {
  readonly reason: Word;
  readonly message: string;
}

export function whatItLacks({ seen }: WantedBalancer, situation: Situation): Lacking {
  const { observed, ports } = situation;
  if (seen === undefined) return { reason: "LoadBalancerMissing", message: "its load balancer does not exist yet" };
  const { name, provisioningStatus } = seen.balancer;
  if (provisioningStatus === "ERROR") return { reason: "LoadBalancerInError", message: `${name} is in ERROR` };
  if (provisioningStatus.startsWith("PENDING") && provisioningStatus !== "PENDING_UPDATE")
    return { reason: "LoadBalancerPending", message: pendingWords(seen.balancer) };
  // It is not switched on again: somebody may have taken the zone out of service on purpose.
  if (!seen.balancer.adminStateUp)
    return {
      reason: "LoadBalancerDown",
      message: `${name} is switched off (admin_state_up is false). Switch it on with: openstack loadbalancer set --enable ${seen.balancer.id}`,
    };
  const bare = seen.tree.known ? ports.find((port) => portOf(seen, port).pool === undefined) : undefined;
  if (bare !== undefined)
    return { reason: "ListenerMissing", message: `${name}: port ${portWords(bare)} is not complete yet` };
  if (publicAddress(observed, seen).is === "missing")
    return { reason: "FloatingIpMissing", message: `${name} has no floating IP yet` };
  const down = downBecause(seen, situation.observed);
  if (down !== undefined) return { reason: "LoadBalancerDown", message: `${name}: ${down}` };
  const broken = brokenChildren({ seen }, situation);
  if (broken.length > 0) {
    const isInError = broken.some(({ provisioningStatus: status }) => status === "ERROR");
    const reason = isInError ? "LoadBalancerInError" : "LoadBalancerPending";
    return { reason, message: `${name}: ${broken.map(childWords).join(", ")}` };
  }
  return { reason: "EndpointNotReady", message: `${name} is not complete yet` };
}
