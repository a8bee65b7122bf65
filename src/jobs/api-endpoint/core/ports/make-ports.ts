// Makes what a port lacks: listener, pool, monitor, members, each when the one before it is there. Where a provider hangs on a listener
// that comes after a monitor, monitors go first and are made again afterwards; nobody knows meanwhile who is healthy.

import { isHeld } from "../balancer/take-turn.ts";
import { newListener, newMonitor, newPool } from "../desired.ts";
import { toAskFor } from "../difference.ts";
import { addMembers, correctMembers, restoreMembers } from "../members/merge-members.ts";
import type { EndpointAction } from "../model/action.ts";
import { hasOwnerTag } from "../model/ownership.ts";
import { hangsOnLateListeners, supports } from "../model/provider-features.ts";
import { portOf } from "../situation/health.ts";
import {
  type BalancerContext,
  deleteMonitor,
  isInError,
  isOurPool,
  type PortContext,
  type Step,
} from "./port-context.ts";

function createListener(context: PortContext): EndpointAction | undefined {
  const { listener, desired, wanted, seen, situation } = context;
  if (listener !== undefined || !desired.isAccessListKnown) return undefined;
  const inTheWay = monitorsInTheWay(context);
  if (inTheWay.some(({ ours, stuck }) => !ours || stuck)) return undefined;
  const { port } = desired;
  const { name } = desired.listener;
  const { id: loadBalancerId, provider } = seen.balancer;
  const making: EndpointAction = {
    kind: "create-listener",
    name,
    port,
    provider,
    wanted: { loadBalancerId, port: port.number, ...toAskFor(desired.listener, newListener) },
    lane: wanted.lane,
    because: "ListenerMissing",
  };
  const [first] = inTheWay;
  if (first === undefined) return making;
  // For one that was refused they stay until it is tried again.
  return isHeld(making, situation) ? undefined : deleteMonitor(context, first, "ListenerMissing");
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

function createPool({ listener, desired, wanted, seen }: PortContext): EndpointAction | undefined {
  // A listener that names a pool which the tree does not show yet has one, and so has one whose pool is not ours to use.
  if (listener === undefined || listener.defaultPoolId !== undefined || portOf(seen, desired.port).pool !== undefined)
    return undefined;
  const { name } = desired.pool;
  const asked = { listenerId: listener.id, ...toAskFor(desired.pool, newPool) };
  return { kind: "create-pool", name, wanted: asked, lane: wanted.lane, because: "PoolMissing" };
}

function createMonitor({ pool, desired, wanted, seen, situation }: PortContext): EndpointAction | undefined {
  const { capabilities } = situation.observed;
  if (pool === undefined || pool.healthMonitor !== undefined || !capabilities.known) return undefined;
  const { provider } = seen.balancer;
  if (!supports(capabilities.value, provider, "health-monitor")) return undefined;
  const { name } = desired.monitor;
  const asked = { poolId: pool.id, ...toAskFor(desired.monitor, newMonitor) };
  return { kind: "create-monitor", name, provider, wanted: asked, lane: wanted.lane, because: "MonitorMissing" };
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
export const memberSteps: readonly Step[] = [wakePool, addMembers, correctMembers, restoreMembers];
