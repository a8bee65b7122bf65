// Bugs of the api-endpoint job about ways in: what goes before something else serves, and zones that hold each other up.

import { type Action, laneKey } from "../../../src/core/plan.ts";
import type { ObservedEndpoint } from "../../../src/jobs/api-endpoint/controller/observe.ts";
import { leftoverFloatingIpLane } from "../../../src/jobs/api-endpoint/core/model/lanes.ts";
import type { BalancerObserved } from "../../../src/jobs/api-endpoint/core/model/observed.ts";
import { isFloatingIpMade, zoneTagOf } from "../../../src/jobs/api-endpoint/core/model/ownership.ts";
import { healthBehind, membersBehind, portOf } from "../../../src/jobs/api-endpoint/core/situation/health.ts";
import { machineOfMember } from "../../../src/jobs/api-endpoint/core/situation/machine-of-member.ts";
import { ours, planning, planningUnguarded, seeing, withActions } from "./endpoint-overrides.ts";
import type { Mutation } from "./mutation.ts";

export const endpointWays: readonly Mutation[] = [
  {
    name: "zone-removed-at-once",
    bug: "the balancer of a zone that is no longer mapped goes before another one serves",
    checker: "last-way-stays",
    caughtAt: 421,
    ...planningUnguarded((plan, observed) => withActions(plan, unmapped(observed).map(deleting))),
  },
  {
    name: "gone-while-remembered",
    bug: "the balancer of a removed zone goes as soon as another one serves, while resolvers still lead to it",
    checker: "served-until-forgotten",
    caughtAt: 149,
    ...planningUnguarded((plan, observed) => {
      const lanes = plan.waits.flatMap(({ reason, lane }) => (reason === "LoadBalancerLeaving" ? [lane?.part] : []));
      const leaving = unmapped(observed).filter(({ balancer }) => lanes.includes(zoneTagOf(balancer.tags)));
      return withActions(plan, leaving.map(deleting));
    }),
  },
  {
    name: "address-given-back-at-once",
    bug: "the floating IP of a removed zone that serves nobody goes with its balancer, while the records may still name it",
    checker: "named-addresses-stay",
    caughtAt: 157,
    ...planningUnguarded((plan, observed) => {
      const isWaiting = plan.waits.some(({ reason }) => reason === "LoadBalancerLeaving");
      const dead = unmapped(observed).filter((seen) => healthBehind(seen, observed.intent.apiPort, observed) === "bad");
      return isWaiting ? withActions(plan, [...dead.map(deleting), ...releasing(observed)]) : plan;
    }),
  },
  {
    name: "vip-given-back-with-the-cluster",
    bug: "the balancers of a deleted cluster go at once, while the records may still name their VIPs",
    checker: "named-addresses-stay",
    sees: /gave back VIP/,
    caughtAt: 133,
    ...planningUnguarded((plan, observed) => {
      const lanes = plan.waits.flatMap(({ reason, lane }) => (reason === "LoadBalancerLeaving" ? [lane?.part] : []));
      const going = ours(observed).filter(({ balancer }) => lanes.includes(zoneTagOf(balancer.tags)));
      return observed.intent.deleting ? withActions(plan, going.map(deleting)) : plan;
    }),
  },
  {
    name: "balancer-off-at-once",
    bug: "balancers that are switched off go, although nobody agreed to lose the last one",
    checker: "last-way-stays",
    caughtAt: 573,
    ...planningUnguarded((plan, observed) => {
      const { intent, object } = observed;
      const isOff = intent.mode === "none" && !intent.deleting && !object.paused;
      return isOff ? withActions(plan, ours(observed).map(deleting)) : plan;
    }),
  },
  {
    name: "pool-emptied-first",
    bug: "where a member is missing, one that is there goes first",
    checker: "replaced-before-removed",
    caughtAt: 109,
    ...planning((plan, observed) => ({ ...plan, actions: plan.actions.map((action) => emptying(action, observed)) })),
  },
  {
    name: "cross-zone-off-at-once",
    bug: "when cross-zone is switched off, members of other zones go before a zone's own are healthy",
    checker: "replaced-before-removed",
    caughtAt: 149,
    ...planning((plan, observed) => {
      const early = ours(observed).flatMap((seen) => strayOf(seen, observed));
      const lanes = new Set(early.map(({ lane }) => laneKey(lane)));
      return { ...plan, actions: [...plan.actions.filter(({ lane }) => !lanes.has(laneKey(lane))), ...early] };
    }),
  },
  {
    name: "balancer-rebuilt-for-nothing",
    bug: "a port that is added makes the whole balancer be built anew",
    checker: "addresses-stay",
    sees: /was wanted, whole, and deleted/,
    caughtAt: 29,
    ...planning((plan, observed) => ({ ...plan, actions: plan.actions.map((action) => rebuilding(action, observed)) })),
  },
  {
    name: "probes-ignored",
    bug: "what came of probes counts for nothing",
    checker: "converges",
    sees: /where nobody answers/,
    caughtAt: 69,
    ...seeing(({ probes: _, ...observed }) => observed),
  },
  {
    name: "zones-wait-for-each-other",
    bug: "while one zone waits or is broken, no other gets anything",
    checker: "converges",
    caughtAt: 13,
    ...planning((plan) => {
      const lanes = new Set([...plan.waits, ...plan.refusals].flatMap(({ lane }) => lane ?? []));
      return lanes.size === 0 ? plan : { ...plan, actions: plan.actions.filter(({ lane }) => lane === undefined) };
    }),
  },
  {
    name: "one-blind-zone-blinds-all",
    bug: "while one balancer cannot be looked into, nothing is done for any",
    checker: "converges",
    caughtAt: 405,
    ...seeing((observed) => {
      const { balancers } = observed;
      const blind = balancers.known ? balancers.value.find(({ tree }) => !tree.known)?.tree : undefined;
      return blind === undefined || blind.known ? observed : { ...observed, balancers: blind };
    }),
  },
  {
    name: "zones-share-a-lane",
    bug: "an action that fails in one zone ends the round for all of them",
    checker: "converges",
    caughtAt: 21,
    ...planning((plan) => ({ ...plan, actions: plan.actions.map(({ lane: _lane, ...action }) => action as Action) })),
  },
];

function rebuilding(action: Action, observed: ObservedEndpoint): Action {
  if (action.kind !== "create-listener") return action;
  const { wanted } = action as unknown as { readonly wanted: { readonly loadBalancerId: string } };
  const serving = ours(observed).filter((seen) => healthBehind(seen, observed.intent.apiPort, observed) === "good");
  const seen = serving.find(({ balancer }) => balancer.id === wanted.loadBalancerId);
  // Where another one serves as well, it is not the last way that is lost.
  return seen === undefined || serving.length < 2 ? action : deleting(seen);
}

function unmapped(observed: ObservedEndpoint): readonly BalancerObserved[] {
  const { intent, object } = observed;
  if (intent.deleting || object.paused || intent.mode !== "zones") return [];
  const mapped = new Set<string | undefined>(intent.zones.map(({ zone }) => zone));
  return ours(observed).filter(({ balancer }) => !mapped.has(zoneTagOf(balancer.tags)));
}

function deleting({ balancer, ...rest }: BalancerObserved): Action {
  const { id, name } = balancer;
  const object = "object" in rest ? rest.object : undefined;
  const lane = { part: zoneTagOf(balancer.tags) ?? "legacy" };
  return { kind: "delete-load-balancer", id, name, lane, removes: name, object, because: "ZoneRemoved" } as Action;
}

/** Of those that we made, the free ones. */
function releasing({ intent: { ownerId = "", object }, floatingIps }: ObservedEndpoint): readonly Action[] {
  const free = (floatingIps.known ? floatingIps.value : []).filter(
    (one) => one.portId === undefined && isFloatingIpMade(one, ownerId),
  );
  return free.map(({ id, address }) => {
    const lane = leftoverFloatingIpLane(address);
    return { kind: "delete-floating-ip", id, address, lane, removes: address, object, because: "FloatingIpUnwanted" };
  });
}

function emptying(action: Action, observed: ObservedEndpoint): Action {
  if (action.kind !== "merge-members") return action;
  const { poolId } = action as unknown as { readonly poolId: string };
  // Where another balancer serves as well, it is not the last way that is lost.
  if (ours(observed).filter(({ balancer }) => balancer.operatingStatus === "ONLINE").length < 2) return action;
  const seen = ours(observed).find(({ tree }) => tree.known && tree.value.pools.some(({ id }) => id === poolId));
  const [member] = (seen === undefined ? [] : membersBehind(seen, observed.intent.apiPort)).toSorted((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  if (member === undefined || member.operatingStatus !== "ONLINE") return action;
  const { id, name, address } = member;
  return { ...action, kind: "remove-member", id, name, address, removes: name } as Action;
}

/** The first member here whose machine belongs elsewhere. */
function strayOf(seen: BalancerObserved, observed: ObservedEndpoint): readonly Action[] {
  const { intent, object } = observed;
  const zone = zoneTagOf(seen.balancer.tags);
  const { pool } = portOf(seen, intent.apiPort);
  if (zone === undefined || pool === undefined || intent.crossZone || intent.mode !== "zones") return [];
  if (intent.deleting || object.paused) return [];
  const stray = pool.members
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .find((member) => {
      const machine = machineOfMember(observed, member);
      return typeof machine === "object" && machine.zone !== undefined && machine.zone !== zone;
    });
  if (stray === undefined) return [];
  const { id, name, address } = stray;
  const where = { poolId: pool.id, id, name, address, lane: { part: zone }, removes: name, object: intent.object };
  return [{ kind: "remove-member", ...where, because: "AsExpected" }];
}
