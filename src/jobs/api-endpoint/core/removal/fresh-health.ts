// Nothing is taken away because others serve unless they have just been seen to. What is below a balancer at rest is read once an hour: until
// it is read again the removal waits, and nothing else does. Read again, it serves or not; what cannot be read is unknown, and counts for
// nobody (never-last.ts, balancer/why-kept.ts). One that failed, or did not help, has others read again when its time comes, and not before.
//
//   what is to go                                          needs a fresh look at
//   a balancer, or what its API port stands on             every other that counts as serving: who is taken down next depends on each
//   a member that answers, or may                          one that serves without it; one that people have an address of, and one that
//                                                          the DNS records name, where that is so of the member's
//   a DNS record of one that serves, or may                one that serves, among those that the records name then; the rest of the
//                                                          change waits for nobody (records-meanwhile.ts)

import type { LoadBalancerId } from "../../../../core/openstack/ids.ts";
import { backoffKey, type Plan, type Wait } from "../../../../core/plan.ts";
import { unseenWait } from "../balancer/waits.ts";
import type { EndpointAction } from "../model/action.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { mayLetIn } from "../situation/in-use.ts";
import { publicAddress } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";
import type { WayIn } from "../situation/ways-in.ts";
import {
  balancersCutBy,
  isConsentTo,
  isLastBeside,
  type Kept,
  keptWays,
  left,
  mayEnd,
  subjectOf,
  without,
} from "./never-last.ts";
import { inUseAndLeaving, recordsMeanwhile } from "./records-meanwhile.ts";

/** Octavia itself needs half of it to notice that a member has failed. */
export const freshHealthMs = 60_000;
/** The same of what was asked for while a removal waited for it: in a slow cloud two rounds, of a few calls each, lie between question and answer. */
export const awaitedHealthMs = 300_000;

/** Names what to read again, for whoever observes. */
export interface HealthWait extends Wait {
  readonly readAgain: readonly LoadBalancerId[];
}

/** Of balancers, what is below them. */
export function readAgainFor({ waits }: Plan<EndpointAction>): ReadonlySet<LoadBalancerId> {
  return new Set(waits.flatMap((wait) => ("readAgain" in wait ? (wait as HealthWait).readAgain : [])));
}

/** Removals are taken one after the other, as in never-last.ts: two must not each go because the other stays. */
export function onFreshHealth(plan: Plan<EndpointAction>, situation: Situation): Plan<EndpointAction> {
  let kept = keptWays(situation);
  const actions: EndpointAction[] = [];
  const held = new Map<EndpointAction, readonly BalancerObserved[]>();
  for (const action of plan.actions) {
    const old = oldBeside(action, kept, situation);
    if (old.length > 0) {
      const isLater = backsOff(action, situation);
      const meanwhile = isLater ? { ...action, notNow: true as const } : recordsMeanwhile(action, situation);
      if (meanwhile !== undefined) actions.push(meanwhile);
      if (!isLater) held.set(action, old);
      continue;
    }
    kept = left(kept, action, situation);
    actions.push(action);
  }
  return {
    actions,
    waits: [...plan.waits, ...[...held].map(([action, old]) => healthWait(action, old))],
    refusals: plan.refusals.filter((refusal) => ![...held.keys()].some((action) => isConsentTo(action, refusal))),
  };
}

/** It failed or did not help, and its time to be tried again has not come. */
function backsOff(action: EndpointAction, { observed }: Situation): boolean {
  return (observed.failed?.get(backoffKey(action)) ?? 0) > 0;
}

/** Everything else on its balancer comes before it. */
export function needsFreshHealth(action: EndpointAction, situation: Situation): boolean {
  return oldBeside(action, keptWays(situation), situation).length > 0;
}

function healthWait(action: EndpointAction, old: readonly BalancerObserved[]): HealthWait {
  const names = old.map(({ balancer }) => balancer.name).toSorted();
  const message = `${subjectOf(action)}: before it goes, it is read again who answers behind ${names.join(", ")}`;
  const wait = unseenWait({ reason: "HealthOutdated", message }, action.lane);
  return { ...wait, readAgain: old.map(({ balancer }) => balancer.id) };
}

/** Those that would have to serve in its place, and were not read lately; none where nobody loses anything. */
function oldBeside(action: EndpointAction, kept: Kept, situation: Situation): readonly BalancerObserved[] {
  if (mayEnd(situation)) return [];
  if (action.kind === "apply-dns-endpoint") return oldInRecords(action.addresses, situation);
  const others = balancersOf(without(situation.serving, action, situation), situation);
  const old = others.filter((other) => !isFresh(other, situation));
  const oldIds = new Set<string>(old.map(({ balancer }) => balancer.id));
  const isNeeded =
    action.kind === "remove-member"
      ? isLastBeside(kept, action, situation, ({ balancerId }) => !oldIds.has(balancerId))
      : balancersCutBy(action, situation.observed).some(mayLetIn);
  return isNeeded ? old : [];
}

/** Whoever was sent to one that leaves the records is sent to one of these. One through which nobody comes leaves at once. */
function oldInRecords(addresses: readonly string[], situation: Situation): readonly BalancerObserved[] {
  if (inUseAndLeaving(addresses, situation).length === 0) return [];
  const { observed, serving } = situation;
  const isIn = (seen: BalancerObserved) => addresses.includes(publicAddress(observed, seen).address ?? "");
  const others = balancersOf(serving, situation).filter(isIn);
  return others.some((other) => isFresh(other, situation)) ? [] : others;
}

function balancersOf(ways: readonly WayIn[], { observed }: Situation): readonly BalancerObserved[] {
  const ids = new Set(ways.map(({ balancerId }) => balancerId));
  return observed.balancers.known ? observed.balancers.value.filter(({ balancer }) => ids.has(balancer.id)) : [];
}

function isFresh({ treeAskedMs }: BalancerObserved, { observed }: Situation): boolean {
  const { monotonicMs, healthAwaitedSince = Number.POSITIVE_INFINITY } = observed;
  if (treeAskedMs === undefined) return false;
  return monotonicMs - treeAskedMs <= (treeAskedMs >= healthAwaitedSince ? awaitedHealthMs : freshHealthMs);
}
