// Makes what a port lacks: listener, pool, monitor, members, each when the one before it is there. Where a provider hangs on a listener
// that comes after a monitor, monitors go first and are made again afterwards; members count as healthy meanwhile.

import type { PoolNode } from "../openstack/octavia-objects.ts";
import type { EndpointAction } from "./action.ts";
import { membersToAdd, membersToRename, type WantedMember, wantedMembers } from "./members.ts";
import { isPortNameOf, memberName, portName } from "./names.ts";
import { hasOwnerTag } from "./ownership.ts";
import { childTags, deleteMonitor, type OnPort, type Step, wantedCidrs, wantedTimeouts } from "./port-ground.ts";
import { algorithmOf, hangsOnLateListeners, supports } from "./provider-features.ts";
import { balancerNames } from "./situation.ts";

function createListener(on: OnPort): EndpointAction | undefined {
  const { listener, port, seat, seen } = on;
  if (listener !== undefined) return undefined;
  const acl = wantedCidrs(on);
  if (acl === "unseen") return undefined;
  const [inTheWay] = monitorsInTheWay(on);
  if (inTheWay !== undefined) return inTheWay.ours ? deleteMonitor(on, inTheWay, "ListenerMissing") : undefined;
  const name = portName(seat.name, port);
  const wanted = {
    loadBalancerId: seen.balancer.id,
    name,
    port,
    tags: childTags(on, "listener"),
    ...(acl === undefined || acl.length === 0 ? {} : { allowedCidrs: acl }),
    ...wantedTimeouts(on),
  };
  const { provider } = seen.balancer;
  return { kind: "create-listener", name, port, provider, wanted, lane: seat.lane, because: "ListenerMissing" };
}

/**
 * The same provider forgets a pool when its monitor goes: PENDING below an ACTIVE balancer, it takes nothing but a change of its own,
 * and that wakes it.
 */
function wakePool({ pool, seat, seen }: OnPort): EndpointAction | undefined {
  if (pool?.provisioningStatus !== "PENDING_UPDATE" || !hangsOnLateListeners(seen.balancer.provider)) return undefined;
  const { id, name } = pool;
  return { kind: "update-pool", name, id, change: { name }, lane: seat.lane, because: "PoolForgotten" };
}

export interface MonitorInTheWay {
  readonly id: string;
  readonly name: string;
  readonly ours: boolean;
}

/** Those on which the provider would hang if a listener came now; others' first, since nothing can be done then. */
export function monitorsInTheWay({ seen, situation }: Pick<OnPort, "seen" | "situation">): readonly MonitorInTheWay[] {
  if (!seen.tree.known || !hangsOnLateListeners(seen.balancer.provider)) return [];
  const bases = balancerNames(situation.observed);
  return seen.tree.value.pools
    .flatMap(({ name: pool, healthMonitor }) => {
      if (healthMonitor === undefined) return [];
      const { id, name } = healthMonitor;
      const isMarked = seen.monitors.some((one) => one.id === id && hasOwnerTag(one.tags, situation.ownerId));
      return [{ id, name, ours: isMarked || bases.some((base) => isPortNameOf(base, pool)) }];
    })
    .toSorted((one, other) => Number(one.ours) - Number(other.ours) || (one.id < other.id ? -1 : 1));
}

function createPool(on: OnPort): EndpointAction | undefined {
  const { listener, pool, port, seat, seen } = on;
  // A listener that names a pool which the tree does not show yet has one.
  if (listener === undefined || pool !== undefined || listener.defaultPoolId !== undefined) return undefined;
  const name = portName(seat.name, port);
  const algorithm = algorithmOf(seen.balancer.provider);
  const wanted = { listenerId: listener.id, name, algorithm, tags: childTags(on, "pool") };
  return { kind: "create-pool", name, wanted, lane: seat.lane, because: "PoolMissing" };
}

function createMonitor(on: OnPort): EndpointAction | undefined {
  const { pool, port, seat, seen, capabilities, situation } = on;
  if (pool === undefined || pool.healthMonitor !== undefined || capabilities === undefined) return undefined;
  const { provider } = seen.balancer;
  if (!supports(capabilities, provider, "health-monitor")) return undefined;
  const name = portName(seat.name, port);
  const wanted = { poolId: pool.id, name, tags: childTags(on, "monitor"), ...situation.intent.monitor };
  return { kind: "create-monitor", name, provider, wanted, lane: seat.lane, because: "MonitorMissing" };
}

function addMembers(on: OnPort): EndpointAction | undefined {
  return on.pool === undefined ? undefined : mergeMembers(on, on.pool, membersToAdd(on.pool, membersWanted(on)));
}

/** To Octavia a member is its address and port: merging one that is there gives it the new name. */
export function renameMembers(on: OnPort): EndpointAction | undefined {
  return on.pool === undefined ? undefined : mergeMembers(on, on.pool, membersToRename(on.pool, membersWanted(on), on));
}

export function membersWanted({ seat, seen, places, situation }: OnPort): readonly WantedMember[] {
  if (places === undefined) return [];
  const { machines } = situation.observed;
  return wantedMembers(seat, { machines, places, balancer: seen.balancer }, situation.intent.crossZone);
}

function mergeMembers(on: OnPort, pool: PoolNode, due: readonly WantedMember[]): EndpointAction | undefined {
  const { port, seat, seen, capabilities } = on;
  // Without an additive batch they go one by one: each makes the balancer PENDING.
  const inBatch = capabilities !== undefined && supports(capabilities, seen.balancer.provider, "batch-members");
  const now = inBatch ? due : due.slice(0, 1);
  if (now.length === 0) return undefined;
  const members = now.map(({ machine, address, subnetId }) => ({
    name: memberName(seat.name, port, machine),
    address,
    port,
    ...(subnetId === undefined ? {} : { subnetId }),
    tags: childTags(on, "member"),
  }));
  const addresses = now.map(({ address }) => address).join(" ");
  const { id: poolId, name } = pool;
  const how = { provider: seen.balancer.provider, batch: inBatch };
  return {
    kind: "merge-members",
    name,
    poolId,
    members,
    addresses,
    ...how,
    lane: seat.lane,
    because: "MembersMissing",
  };
}

/** In this order on each port. */
export const makingSteps: readonly Step[] = [wakePool, createListener, createPool, createMonitor, addMembers];

/** Members alone: see nextMemberStep. */
export const memberSteps: readonly Step[] = [wakePool, addMembers, renameMembers];
