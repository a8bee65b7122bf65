// A balancer in ERROR. It may still serve, so it is rebuilt only where people have another way in, or agree, or cannot depend on it.
//
//   failover not tried and not forbidden        ask for it: everything stays as it is
//   something of others' on it                  refuse without consent: it would go with the balancer
//   consent, or never ready and not in use      delete it; it is made again with the same VIP, and takes its floating IP back
//   another one is gone, or not yet made again  refuse: two do not go at a time
//   another way in                              delete it
//   else                                        refuse, and say how to agree

import type { Plan, Refusal } from "../../../../core/plan.ts";
import type { Word } from "../../../../core/reasons.ts";
import { pauseBetweenRebuildsMs } from "../members/members.ts";
import type { EndpointAction } from "../model/action.ts";
import { planOf } from "../model/endpoint-plan.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { isSpokenOn } from "../model/port.ts";
import { supports } from "../model/provider-features.ts";
import { ageMs } from "../model/time-of-octavia.ts";
import { isInError, isOurListener, isOurPool } from "../ports/port-context.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { portOf } from "../situation/health.ts";
import { mayBeInUse, mayLetIn } from "../situation/in-use.ts";
import { recordedOf } from "../situation/places.ts";
import { otherWays, type Situation } from "../situation/situation.ts";
import { unseenWait } from "./waits.ts";

export function planRepair(wanted: WantedBalancer, seen: BalancerObserved, situation: Situation): Plan<EndpointAction> {
  const { balancer } = seen;
  const { id, name } = balancer;
  const { capabilities } = situation.observed;
  const common = { name, id, lane: wanted.lane, because: "LoadBalancerInError" } as const;
  if (capabilities.known && !seen.failoverTried && supports(capabilities.value, balancer.provider, "failover"))
    return planOf({ actions: [{ kind: "failover-load-balancer", ...common, provider: balancer.provider }] });
  if (wanted.role === "fallback") {
    const message = `${name}: the legacy balancer is in ERROR; it would not be made again, so it stays until its removal is agreed`;
    return planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane: wanted.lane }] });
  }
  const theirs = partsOfOthers(seen, situation);
  if (theirs.length > 0 && !situation.intent.consents.repair) {
    const message = `${name}: in ERROR, and it is not rebuilt because what others put on it would go with it: ${theirs.join(", ")}; move that elsewhere, or annotate mainstay.dev/repair=true to agree`;
    return planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane: wanted.lane }] });
  }
  if (!seen.tree.known && !situation.intent.consents.repair) {
    const message = `${name}: in ERROR, and what is on it cannot be seen: ${seen.tree.message}`;
    return planOf({ waits: [unseenWait({ reason: "LoadBalancerInError", message }, wanted.lane)] });
  }
  const held = whyKept(seen, situation);
  if (held !== undefined) {
    const message = `${name}: in ERROR, and it is not rebuilt because ${held}; annotate mainstay.dev/repair=true to agree`;
    return planOf({ refusals: [{ reason: "LoadBalancerInError", message, lane: wanted.lane }] });
  }
  const leftMs = pauseBetweenRebuildsMs - ageMs(balancer.createdAt, situation.nowMs);
  if (leftMs > 0) {
    const message = `${name}: in ERROR right after it was made; it is made again in a while`;
    return planOf({ waits: [{ reason: "LoadBalancerInError", recheckAfterMs: leftMs, message, lane: wanted.lane }] });
  }
  return planOf({ actions: [{ kind: "delete-load-balancer", ...common, removes: `load balancer ${name}` }] });
}

/** In words. */
function partsOfOthers(seen: BalancerObserved, situation: Situation): readonly string[] {
  const listeners = seen.listeners
    .filter((listener) => !isOurListener(listener, situation))
    .map(({ name, id, port }) => `listener ${name || id} on port ${port}`);
  const pools = (seen.tree.known ? seen.tree.value.pools : [])
    .filter((pool) => !isOurPool(pool, seen, situation))
    .map(({ name, id }) => `pool ${name || id}`);
  return [...listeners.toSorted(), ...pools.toSorted()];
}

/** Of one balancer. What is done about the API port comes before everything else; a side port waits until the others have what they need. */
export interface PartRepair {
  readonly first?: EndpointAction;
  readonly last?: EndpointAction;
  readonly refusals: readonly Refusal[];
}

/**
 * A listener or pool of ours in ERROR cannot be changed, nor anything below it, nor what a pool speaks: it is taken away and made
 * again. On the API port that costs a way in, on a side port it does not.
 */
export function repairParts(wanted: WantedBalancer, seen: BalancerObserved, situation: Situation): PartRepair {
  const { lane } = wanted;
  const api = portOf(seen, situation.intent.apiPort);
  const broken = brokenParts(seen, situation);
  const refused = (parts: readonly BrokenPart[], why: string) =>
    parts.map(
      ({ action, state }): Refusal => ({
        reason: "LoadBalancerInError",
        message: `${action.removes}: ${state}, and it is not made again because ${why}`,
        lane,
      }),
    );
  if (wanted.role === "fallback")
    return { refusals: refused(broken, "the legacy balancer only stays until its removal is agreed") };
  const isOnApiPort = ({ action }: BrokenPart) => action.id === api.pool?.id || action.id === api.listener?.id;
  const inTheWay = broken.filter(isOnApiPort);
  const held = whyKept(seen, situation);
  const [first] = held === undefined ? inTheWay : [];
  const last = broken.find((part) => !isOnApiPort(part));
  return {
    ...(first === undefined ? {} : { first: { ...first.action, lane } }),
    ...(last === undefined ? {} : { last: { ...last.action, lane } }),
    refusals: held === undefined ? [] : refused(inTheWay, `${held}; annotate mainstay.dev/repair=true to agree`),
  };
}

/** In words, why what people may depend on is not taken away to be made again. */
function whyKept(seen: BalancerObserved, situation: Situation): string | undefined {
  const { intent, observed } = situation;
  const { id } = seen.balancer;
  if (intent.consents.repair || (!observed.object.provisioned && !mayBeInUse(seen, observed))) return undefined;
  const away = situation.assignment.wanted.find((other) => other.seen?.balancer.id !== id && isAway(other, situation));
  if (away !== undefined) return `${away.name} is being made again, and two do not go at a time`;
  return otherWays(situation, id).length > 0 ? undefined : "no other way in is healthy";
}

/** It was there, and nobody gets in through it until it is made again. */
function isAway({ role, zone, seen }: WantedBalancer, { observed }: Situation): boolean {
  if (role === "fallback" || recordedOf(observed, zone)?.internalAddress === undefined) return false;
  if (seen === undefined) return true;
  const { provisioningStatus } = seen.balancer;
  return provisioningStatus === "ERROR" ? !mayLetIn(seen) : /^PENDING_(CREATE|DELETE)$/.test(provisioningStatus);
}

interface BrokenPart {
  readonly action: {
    readonly kind: "delete-pool" | "delete-listener";
    readonly id: string;
    readonly name: string;
    readonly removes: string;
    readonly because: Word;
  };
  /** In words. */
  readonly state: string;
}

function brokenParts(seen: BalancerObserved, situation: Situation): readonly BrokenPart[] {
  if (!seen.tree.known) return [];
  const inError = seen.tree.value.pools.filter((pool) => isInError(pool) && isOurPool(pool, seen, situation));
  const listeners = seen.listeners.filter((one) => isInError(one) && isOurListener(one, situation));
  return [
    ...inError.map((pool) => ({ action: deletion("pool", pool, "LoadBalancerInError"), state: "in ERROR" })),
    ...listeners.map((one) => ({ action: deletion("listener", one, "LoadBalancerInError"), state: "in ERROR" })),
    ...misspeakingPools(seen, situation).filter(({ action }) => !inError.some(({ id }) => id === action.id)),
  ];
}

/** A pool's protocol cannot be changed. */
function misspeakingPools(seen: BalancerObserved, { ports }: Situation): readonly BrokenPart[] {
  const portOfPool = new Map(ports.map((port) => [portOf(seen, port).pool?.id, port]));
  return (seen.pools ?? []).flatMap((pool) => {
    const port = portOfPool.get(pool.id);
    if (port === undefined || isSpokenOn(pool, port)) return [];
    const state = `it speaks ${pool.protocol}, not ${port.protocol}`;
    return [{ action: deletion("pool", pool, "PoolDrifted"), state }];
  });
}

function deletion(
  what: "pool" | "listener",
  { id, name }: { readonly id: string; readonly name: string },
  because: Word,
): BrokenPart["action"] {
  return { kind: `delete-${what}`, id, name, removes: `${what} ${name}`, because };
}
