// Waits that every part of the planner uses: for a balancer that is PENDING, and for what could not be observed.

import type { Unknown } from "../../../../core/known.ts";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { Lane, Wait } from "../../../../core/plan.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { ageMs } from "../model/time-of-octavia.ts";
import { type Child, childWords } from "../situation/children.ts";

/** What could not be observed is observed again after this, where nothing else is said. */
const unseenRecheckMs = 15_000;
const pendingRecheckMs = 3_000;
const slowRecheckMs = 15_000;
/** Only an operator of the cloud ends it: no sooner than anything else is looked at. */
const stuckRecheckMs = 60_000;
/** A balancer that is still being made after this is watched with less haste, and after the second it is reported as stuck. */
const slowAfterMs = 120_000;
export const stuckAfterMs = 900_000;

/** One that somebody touches all the time is not stuck, and is watched with as little haste. */
export function pendingWait(
  { balancer, pendingForMs = 0 }: Pick<BalancerObserved, "balancer" | "pendingForMs">,
  lane: Lane,
  cloudNowMs: number,
): Wait {
  const { updatedAt, createdAt } = balancer;
  const forMs = ageMs(updatedAt ?? createdAt, cloudNowMs);
  const { reason } = pendingFor(forMs);
  const longestMs = Math.max(forMs, pendingForMs);
  const recheckAfterMs = longestMs > slowAfterMs ? pendingFor(longestMs).recheckAfterMs : pendingRecheckMs;
  return { reason, recheckAfterMs, message: pendingWords(balancer), lane };
}

/** Octavia's own word is in it: people look for it in the cloud. */
export function pendingWords({ name, provisioningStatus }: Pick<LoadBalancer, "name" | "provisioningStatus">): string {
  const does: Readonly<Record<string, string>> = { PENDING_CREATE: "builds", PENDING_DELETE: "deletes" };
  return `${name}: Octavia ${does[provisioningStatus] ?? "changes"} it (${provisioningStatus})`;
}

/** Of children that are PENDING although their balancer is ACTIVE: it may only not show yet that they are done. */
export function pendingChildrenWait(
  { name, ...balancer }: LoadBalancer,
  children: readonly Child[],
  lane: Lane,
  nowMs: number,
): Wait {
  return {
    ...pendingFor(ageMs(balancer.updatedAt ?? balancer.createdAt, nowMs)),
    message: `${name} is ACTIVE, and below it ${children.map(childWords).join(", ")}`,
    lane,
  };
}

function pendingFor(forMs: number): Pick<Wait, "reason" | "recheckAfterMs"> {
  return forMs > stuckAfterMs
    ? { reason: "LoadBalancerStuck", recheckAfterMs: stuckRecheckMs }
    : { reason: "LoadBalancerPending", recheckAfterMs: slowRecheckMs };
}

export function unseenWait(
  { reason, message, recheckAfterMs = unseenRecheckMs }: Pick<Wait, "reason"> & Omit<Unknown, "known" | "reason">,
  lane?: Lane,
): Wait {
  return { reason, message, recheckAfterMs, ...(lane === undefined ? {} : { lane }) };
}
