// Makes what a port lacks: listener, pool, monitor, members, each when the one before it is there. Where a provider hangs on a listener
// that comes after a monitor, monitors go first and are made again afterwards; nobody knows meanwhile who is healthy.

import { isHeld } from "../balancer/take-turn.ts";
import { addMembers, correctMembers } from "../members/merge-members.ts";
import type { EndpointAction } from "../model/action.ts";
import { portName } from "../model/names.ts";
import { hasOwnerTag } from "../model/ownership.ts";
import { algorithmOf, hangsOnLateListeners, supports } from "../model/provider-features.ts";
import { portOf } from "../situation/health.ts";
import {
  type BalancerContext,
  childTags,
  deleteMonitor,
  isInError,
  isOurPool,
  type PortContext,
  type Step,
  wantedCidrs,
  wantedTimeouts,
} from "./port-context.ts";

function createListener(on: PortContext): EndpointAction | undefined {
  const { listener, port, wanted, seen } = on;
  if (listener !== undefined) return undefined;
  const acl = wantedCidrs(on);
  if (acl === "unseen") return undefined;
  const inTheWay = monitorsInTheWay(on);
  if (inTheWay.some(({ ours, stuck }) => !ours || stuck)) return undefined;
  const name = portName(wanted.name, port);
  const desired = {
    loadBalancerId: seen.balancer.id,
    name,
    port,
    tags: childTags(on, "listener"),
    ...(acl === undefined || acl.length === 0 ? {} : { allowedCidrs: acl }),
    ...wantedTimeouts(on),
  };
  const { provider } = seen.balancer;
  const because = "ListenerMissing";
  const making: EndpointAction = {
    kind: "create-listener",
    name,
    port,
    provider,
    wanted: desired,
    lane: wanted.lane,
    because,
  };
  const [first] = inTheWay;
  if (first === undefined) return making;
  // For one that was refused they stay until it is tried again.
  return isHeld(making, on.situation) ? undefined : deleteMonitor(on, first, because);
}

/**
 * The same provider forgets a pool when its monitor goes: PENDING below an ACTIVE balancer, it takes nothing but a change of its own,
 * and that wakes it.
 */
function wakePool({ pool, wanted, seen }: PortContext): EndpointAction | undefined {
  if (pool?.provisioningStatus !== "PENDING_UPDATE" || !hangsOnLateListeners(seen.balancer.provider)) return undefined;
  const { id, name } = pool;
  return { kind: "update-pool", name, id, change: { name }, lane: wanted.lane, because: "PoolForgotten" };
}

export interface MonitorInTheWay {
  readonly id: string;
  readonly name: string;
  readonly ours: boolean;
  /** Its pool is in ERROR, and goes with it once it is repaired. */
  readonly stuck: boolean;
}

/** Those on which the provider would hang if a listener came now. */
export function monitorsInTheWay({
  seen,
  situation,
}: Pick<PortContext, "seen" | "situation">): readonly MonitorInTheWay[] {
  if (!seen.tree.known || !hangsOnLateListeners(seen.balancer.provider)) return [];
  return seen.tree.value.pools
    .flatMap((pool) => {
      if (pool.healthMonitor === undefined) return [];
      const { id, name } = pool.healthMonitor;
      const isMarked = seen.monitors.some((one) => one.id === id && hasOwnerTag(one.tags, situation.ownerId));
      return [{ id, name, ours: isMarked || isOurPool(pool, seen, situation), stuck: isInError(pool) }];
    })
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

function createPool(on: PortContext): EndpointAction | undefined {
  const { listener, port, wanted, seen } = on;
  // A listener that names a pool which the tree does not show yet has one, and so has one whose pool is not ours to use.
  if (listener === undefined || listener.defaultPoolId !== undefined || portOf(seen, port).pool !== undefined)
    return undefined;
  const name = portName(wanted.name, port);
  const algorithm = algorithmOf(seen.balancer.provider);
  const desired = { listenerId: listener.id, name, algorithm, tags: childTags(on, "pool") };
  return { kind: "create-pool", name, wanted: desired, lane: wanted.lane, because: "PoolMissing" };
}

function createMonitor(on: PortContext): EndpointAction | undefined {
  const { pool, port, wanted, seen, capabilities, situation } = on;
  if (pool === undefined || pool.healthMonitor !== undefined || capabilities === undefined) return undefined;
  const { provider } = seen.balancer;
  if (!supports(capabilities, provider, "health-monitor")) return undefined;
  const name = portName(wanted.name, port);
  const desired = { poolId: pool.id, name, tags: childTags(on, "monitor"), ...situation.intent.monitor };
  return { kind: "create-monitor", name, provider, wanted: desired, lane: wanted.lane, because: "MonitorMissing" };
}

/** Port by port, so that the API's own serves first; but kind by kind where a listener must not come after a monitor. */
export function* dueToMake(
  { seen, situation }: BalancerContext,
  ports: readonly PortContext[],
): Iterable<EndpointAction> {
  if (!hangsOnLateListeners(seen.balancer.provider)) {
    for (const on of ports) yield* stepsOn([on], makingSteps);
    return;
  }
  const listeners = [...stepsOn(ports, [createListener])];
  const isListenerNext = listeners.some((step) => !isHeld(step, situation));
  const others = makingSteps.filter((step) => !(step === createMonitor && isListenerNext));
  yield* stepsOn(ports, others);
}

/** Kind by kind. */
export function* stepsOn(ports: readonly PortContext[], steps: readonly Step[]): Iterable<EndpointAction> {
  for (const step of steps) {
    for (const on of ports) {
      yield* [step(on) ?? []].flat();
    }
  }
}

/** In this order on each port. */
const makingSteps: readonly Step[] = [wakePool, createListener, createPool, createMonitor, addMembers];

/** Members alone: see dueOnMembers. */
export const memberSteps: readonly Step[] = [wakePool, addMembers, correctMembers];
