// Waits that every part of the planner uses: for a balancer that is PENDING, and for what could not be observed.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { Lane, Wait } from "../../../../core/plan.ts";
import { ageMs } from "../model/time-of-octavia.ts";
import { type Child, childWords } from "../situation/children.ts";

/** What could not be observed is observed again after this. */
const unseenRecheckMs = 15_000;
const pendingRecheckMs = 3_000;
/** A balancer that is still being made after this is watched with less haste, and after the second it is reported as stuck. */
const slowAfterMs = 120_000;
const stuckAfterMs = 900_000;

export function pendingWait(
  { name, provisioningStatus, ...balancer }: LoadBalancer,
  lane: Lane,
  cloudNowMs: number,
): Wait {
  const forMs = ageMs(balancer.updatedAt ?? balancer.createdAt, cloudNowMs);
  const isStuck = forMs > stuckAfterMs;
  return {
    reason: isStuck ? "LoadBalancerStuck" : "LoadBalancerPending",
    recheckAfterMs: forMs > slowAfterMs ? 5 * pendingRecheckMs : pendingRecheckMs,
    message: `${name}: ${provisioningStatus}`,
    lane,
  };
}

/** Of children that are PENDING although their balancer is ACTIVE: it may only not show yet that they are done. */
export function pendingChildrenWait(
  { name, ...balancer }: LoadBalancer,
  children: readonly Child[],
  lane: Lane,
  nowMs: number,
): Wait {
  const isStuck = ageMs(balancer.updatedAt ?? balancer.createdAt, nowMs) > stuckAfterMs;
  return {
    reason: isStuck ? "LoadBalancerStuck" : "LoadBalancerPending",
    recheckAfterMs: 5 * pendingRecheckMs,
    message: `${name} is ACTIVE, and below it ${children.map(childWords).join(", ")}`,
    lane,
  };
}

export function unseenWait(
  { reason, message }: Pick<Wait, "reason"> & { readonly message: string },
  lane?: Lane,
): Wait {
  return { reason, message, recheckAfterMs: unseenRecheckMs, ...(lane === undefined ? {} : { lane }) };
}
