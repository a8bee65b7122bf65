// A balancer in ERROR. It may still serve, so it is rebuilt only where people have another way in, or agree, or never had one.
//
//   failover not tried and not forbidden        ask for it: everything stays as it is
//   another way in, consent, or never ready     delete it; it is made again with the same VIP, and takes its floating IP back
//   else                                        refuse, and say how to agree

import type { Plan } from "../plan.ts";
import { emptyPlan } from "../plan.ts";
import type { EndpointAction } from "./action.ts";
import type { Seat } from "./claims.ts";
import type { BalancerObserved } from "./observed.ts";
import { supports } from "./provider-features.ts";
import { otherWays, planOf, type Situation } from "./situation.ts";
import { ageMs } from "./time-of-octavia.ts";

/** A balancer that fails as it is made is not made again in a frenzy. */
const pauseBetweenRebuildsMs = 30_000;

export function planRepair(seat: Seat, seen: BalancerObserved, situation: Situation): Plan<EndpointAction> {
  const { balancer } = seen;
  const { id, name } = balancer;
  const { capabilities } = situation.observed;
  const common = { name, id, lane: seat.lane, because: "LoadBalancerInError" } as const;
  if (capabilities.known && !seen.failoverTried && supports(capabilities.value, balancer.provider, "failover"))
    return planOf({ actions: [{ kind: "failover-load-balancer", ...common, provider: balancer.provider }] });
  if (seat.role === "fallback") {
    const message = `${name}: the legacy balancer is in ERROR; it would not be made again, so it stays until its removal is agreed`;
    return planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane: seat.lane }] });
  }
  if (!mayRebuild(id, situation)) {
    const message = `${name}: in ERROR, and it is not rebuilt because no other way in is healthy; annotate mainstay.dev/repair=true to agree`;
    return planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane: seat.lane }] });
  }
  const leftMs = pauseBetweenRebuildsMs - ageMs(balancer.createdAt, situation.nowMs);
  if (leftMs > 0) {
    const message = `${name}: in ERROR right after it was made; it is made again in a while`;
    return planOf({ waits: [{ reason: "LoadBalancerInError", recheckAfterMs: leftMs, message, lane: seat.lane }] });
  }
  return planOf({ actions: [{ kind: "delete-load-balancer", ...common, removes: `load balancer ${name}` }] });
}

/** A listener or pool in ERROR cannot be changed, nor anything below it: it is taken away and made again. */
export function planBrokenPart(seat: Seat, seen: BalancerObserved, situation: Situation): Plan<EndpointAction> {
  const broken = brokenPart(seen);
  if (broken === undefined) return emptyPlan;
  const { lane } = seat;
  if (!mayRebuild(seen.balancer.id, situation)) {
    const message = `${broken.removes}: in ERROR, and it is not made again because no other way in is healthy; annotate mainstay.dev/repair=true to agree`;
    return planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane }] });
  }
  return planOf({ actions: [{ ...broken, lane, because: "LoadBalancerInError" }] });
}

function mayRebuild(balancerId: string, situation: Situation): boolean {
  const { intent, observed } = situation;
  return intent.consents.repair || !observed.object.provisioned || otherWays(situation, balancerId).length > 0;
}

function brokenPart({ listeners, tree }: BalancerObserved) {
  if (!tree.known) return undefined;
  const pool = tree.value.pools.find(({ provisioningStatus }) => provisioningStatus === "ERROR");
  if (pool !== undefined)
    return { kind: "delete-pool", id: pool.id, name: pool.name, removes: `pool ${pool.name}` } as const;
  const listener = listeners.find(({ provisioningStatus }) => provisioningStatus === "ERROR");
  if (listener === undefined) return undefined;
  const { id, name } = listener;
  return { kind: "delete-listener", id, name, removes: `listener ${name}` } as const;
}
