// A balancer in ERROR. It may still serve, so it is rebuilt only where people have another way in, or agree, or never had one.
//
//   failover not tried and not forbidden        ask for it: everything stays as it is
//   another way in, consent, or never ready     delete it; it is made again with the same VIP, and takes its floating IP back
//   else                                        refuse, and say how to agree

import type { ProvisioningStatus } from "../openstack/octavia-objects.ts";
import type { Plan, Refusal } from "../plan.ts";
import { emptyPlan } from "../plan.ts";
import type { Reason } from "../reasons.ts";
import type { EndpointAction } from "./action.ts";
import type { Seat } from "./claims.ts";
import { portOf } from "./health.ts";
import { pauseBetweenRebuildsMs } from "./members.ts";
import { isPortNameOf } from "./names.ts";
import type { BalancerObserved } from "./observed.ts";
import { hasOwnerTag } from "./ownership.ts";
import { supports } from "./provider-features.ts";
import { balancerNames, otherWays, planOf, type Situation } from "./situation.ts";
import { ageMs } from "./time-of-octavia.ts";

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

/**
 * A listener or pool in ERROR cannot be changed, nor anything below it, nor what a pool speaks: it is taken away and made again. What
 * somebody else put there stays, and is told of where it stands in our way.
 */
export function planBrokenPart(seat: Seat, seen: BalancerObserved, situation: Situation): Plan<EndpointAction> {
  const { lane } = seat;
  const broken = brokenPart(seen, situation) ?? misspeakingPool(seen, situation);
  if (broken === undefined) return planTheirs(seen, situation, lane);
  if (!mayRebuild(seen.balancer.id, situation)) {
    const message = `${broken.removes}: ${broken.state}, and it is not made again because no other way in is healthy; annotate mainstay.dev/repair=true to agree`;
    return planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane }] });
  }
  const { state: _, ...action } = broken;
  return planOf({ actions: [{ ...action, lane }] });
}

function mayRebuild(balancerId: string, situation: Situation): boolean {
  const { intent, observed } = situation;
  return intent.consents.repair || !observed.object.provisioned || otherWays(situation, balancerId).length > 0;
}

interface BrokenPart {
  readonly kind: "delete-pool" | "delete-listener";
  readonly id: string;
  readonly name: string;
  readonly removes: string;
  readonly because: Reason;
  /** In words. */
  readonly state: string;
}

function brokenPart(seen: BalancerObserved, { observed, ownerId }: Situation): BrokenPart | undefined {
  if (!seen.tree.known) return undefined;
  const names = balancerNames(observed);
  const isNamed = ({ name }: { readonly name: string }) => names.some((base) => isPortNameOf(base, name));
  const inError = { because: "LoadBalancerInError", state: "in ERROR" } as const;
  const pool = seen.tree.value.pools.find(
    (one) => isInError(one) && (isNamed(one) || seen.pools?.some(({ id }) => id === one.id)),
  );
  if (pool !== undefined) return { ...deletePool(pool), ...inError };
  const listener = seen.listeners.find((one) => isInError(one) && (isNamed(one) || hasOwnerTag(one.tags, ownerId)));
  if (listener === undefined) return undefined;
  const { id, name } = listener;
  return { kind: "delete-listener", id, name, removes: `listener ${name}`, ...inError };
}

function planTheirs(seen: BalancerObserved, { ports }: Situation, lane: string): Plan<EndpointAction> {
  const refusals = ports.flatMap((port): readonly Refusal[] => {
    const { listener, pool } = portOf(seen, port);
    const what = isInError(pool)
      ? `pool ${pool?.name}`
      : isInError(listener)
        ? `listener ${listener?.name}`
        : undefined;
    if (what === undefined) return [];
    const message = `${what}: in ERROR on port ${port}, and it is somebody else's, so it stays; delete it, and ours is made in its place`;
    return [{ reason: "LoadBalancerInError", message, lane }];
  });
  return refusals.length === 0 ? emptyPlan : planOf({ refusals });
}

function isInError(part: { readonly provisioningStatus: ProvisioningStatus } | undefined): boolean {
  return part?.provisioningStatus === "ERROR";
}

/** An API server understands no PROXY header, and a pool's protocol cannot be changed. */
function misspeakingPool(seen: BalancerObserved, { ports }: Situation): BrokenPart | undefined {
  const ids = ports.map((port) => portOf(seen, port).pool?.id);
  const pool = seen.pools?.find(({ id, protocol }) => ids.includes(id) && protocol !== "TCP");
  if (pool === undefined) return undefined;
  return { ...deletePool(pool), because: "PoolDrifted", state: `it speaks ${pool.protocol}, not TCP` };
}

function deletePool({ id, name }: { readonly id: string; readonly name: string }) {
  return { kind: "delete-pool", id, name, removes: `pool ${name}` } as const;
}
