// Puts right what differs from the object: names after a move, tags, access lists, timeouts and limits, how a pool spreads, monitor timings,
// drained members and parts that somebody switched off. Only what differs is sent, all of it in one change.

import type { UpdateHealthMonitor, UpdateListener, UpdatePool } from "../../../../core/openstack/octavia-objects.ts";
import { correctMembers } from "../members/merge-members.ts";
import type { EndpointAction } from "../model/action.ts";
import { portName } from "../model/names.ts";
import { type Role, retagged } from "../model/ownership.ts";
import { algorithmOf } from "../model/provider-features.ts";
import { canonicalCidrs } from "./allowed-cidrs.ts";
import {
  type BalancerContext,
  childTags,
  deleteMonitor,
  type PortContext,
  type Step,
  wantedCidrs,
  wantedTimeouts,
} from "./port-context.ts";

/** One that is full lets nobody in, and nobody can ask for a limit in the object. */
const unlimited = -1;

function correctListener(on: PortContext): EndpointAction | undefined {
  const { listener, port, wanted, seen } = on;
  if (listener === undefined) return undefined;
  const acl = wantedCidrs(on);
  const name = portName(wanted.name, port);
  const change: UpdateListener = {
    ...(listener.name === name ? {} : { name }),
    ...retagging(listener.tags, on, "listener"),
    ...(acl === undefined || acl === "unseen" || sameTexts(canonicalCidrs(listener.allowedCidrs), acl)
      ? {}
      : { allowedCidrs: acl }),
    ...differing<UpdateListener>({ ...wantedTimeouts(on), connectionLimit: unlimited }, listener),
    ...switchingOn(listener),
  };
  if (Object.keys(change).length === 0) return undefined;
  const { id } = listener;
  const { provider } = seen.balancer;
  return { kind: "update-listener", name, id, provider, change, lane: wanted.lane, because: "ListenerDrifted" };
}

/** The tree shows its name alone. Of one that bears our tag the list shows the rest; one that does not gets its tags with its name. */
function correctPool(on: PortContext): EndpointAction | undefined {
  const { pool, port, wanted, seen } = on;
  if (pool === undefined) return undefined;
  const name = portName(wanted.name, port);
  const listed = seen.pools?.find(({ id }) => id === pool.id);
  const isUnmarked = seen.pools === undefined ? pool.name !== name : listed === undefined;
  const change: UpdatePool = {
    ...(pool.name === name ? {} : { name }),
    ...(isUnmarked ? { tags: childTags(on, "pool") } : {}),
    ...(listed === undefined
      ? {}
      : {
          ...retagging(listed.tags, on, "pool"),
          ...differing<UpdatePool>({ algorithm: algorithmOf(seen.balancer.provider) }, listed),
          ...switchingOn(listed),
        }),
  };
  if (Object.keys(change).length === 0) return undefined;
  return { kind: "update-pool", name, id: pool.id, change, lane: wanted.lane, because: "PoolDrifted" };
}

/** One that was not listed bears no tag of ours yet: it gets everything, and is listed from then on. */
function correctMonitor(on: PortContext): EndpointAction | undefined {
  const { pool, monitor, port, wanted, situation } = on;
  const id = pool?.healthMonitor?.id;
  if (id === undefined) return undefined;
  const name = portName(wanted.name, port);
  // Its type cannot be changed: it goes, and the next round makes it anew.
  if (pool?.healthMonitor?.type !== "TCP")
    return deleteMonitor(on, { id, name: pool?.healthMonitor?.name ?? name }, "MonitorDrifted");
  const timings = situation.intent.monitor;
  const change: UpdateHealthMonitor =
    monitor === undefined
      ? { name, tags: childTags(on, "monitor"), ...timings }
      : {
          ...(monitor.name === name ? {} : { name }),
          ...retagging(monitor.tags, on, "monitor"),
          ...differing(timings, monitor),
          ...switchingOn(monitor),
        };
  if (Object.keys(change).length === 0) return undefined;
  return { kind: "update-monitor", name, id, change, lane: wanted.lane, because: "MonitorDrifted" };
}

/** Kind by kind: a move renames all listeners first, then pools, then monitors, and members in one batch at last. */
export const correctingSteps: readonly Step[] = [correctListener, correctPool, correctMonitor, correctMembers];

function retagging(
  current: readonly string[],
  context: Pick<BalancerContext, "wanted" | "situation">,
  role: Role,
): { readonly tags?: readonly string[] } {
  const tags = retagged(current, childTags(context, role));
  return tags === undefined ? {} : { tags };
}

/** A balancer as a whole may be switched off by people; a part of one that is on serves nobody. */
function switchingOn({ adminStateUp }: { readonly adminStateUp: boolean }): { readonly adminStateUp?: true } {
  return adminStateUp ? {} : { adminStateUp: true };
}

/** The wanted values that the object does not have. */
function differing<T extends object>(wanted: T, current: T): Partial<T> {
  const keys = Object.keys(wanted) as (keyof T)[];
  return Object.fromEntries(
    keys.filter((key) => wanted[key] !== current[key]).map((key) => [key, wanted[key]]),
  ) as Partial<T>;
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
