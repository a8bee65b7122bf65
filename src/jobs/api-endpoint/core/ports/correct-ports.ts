// Puts right what differs from what is desired: names after a move, tags, access lists, timeouts and limits, how a pool spreads, monitor
// timings, drained members, members in ERROR and parts that somebody switched off. Only what differs is sent, all of it in one change.

import { newMonitor } from "../desired.ts";
import { difference, isEmpty } from "../difference.ts";
import { correctMembers, restoreMembers } from "../members/merge-members.ts";
import type { EndpointAction } from "../model/action.ts";
import { canonicalCidrs } from "./allowed-cidrs.ts";
import { deleteMonitor, type PortContext, type Step } from "./port-context.ts";

function correctListener({ listener, desired, wanted, seen, situation }: PortContext): EndpointAction | undefined {
  if (listener === undefined) return undefined;
  const observed = { ...listener, allowedCidrs: canonicalCidrs(listener.allowedCidrs) };
  const change = difference(desired.listener, observed, situation.userTags.former);
  if (isEmpty(change)) return undefined;
  const { name } = desired.listener;
  const { provider } = seen.balancer;
  const because = "ListenerDrifted";
  return { kind: "update-listener", name, id: listener.id, provider, change, lane: wanted.lane, because };
}

/**
 * The status tree shows its name alone. Pools that bear our tag are listed with all the rest; one that is not among them gets its tags,
 * and is listed from then on. Before anybody has asked for the list, a pool that has its name is taken to be as it should.
 * What it speaks cannot be changed, so it counts as right here: balancer/repair.ts makes a new one.
 */
function correctPool({ pool, desired, wanted, seen, situation }: PortContext): EndpointAction | undefined {
  if (pool === undefined) return undefined;
  const { name } = desired.pool;
  const listed = seen.pools?.find(({ id }) => id === pool.id);
  const isUnmarked = seen.pools === undefined ? pool.name !== name : listed === undefined;
  const change =
    listed === undefined
      ? difference({ name, ...(isUnmarked ? { tags: desired.pool.tags } : {}) }, { name: pool.name })
      : difference(
          desired.pool,
          { ...listed, name: pool.name, protocol: desired.pool.protocol },
          situation.userTags.former,
        );
  if (isEmpty(change)) return undefined;
  return { kind: "update-pool", name, id: pool.id, change, lane: wanted.lane, because: "PoolDrifted" };
}

/** One that was not listed bears no tag of ours yet: it gets everything, and is listed from then on. */
function correctMonitor(context: PortContext): EndpointAction | undefined {
  const { pool, monitor, desired, wanted, situation } = context;
  const { name } = desired.monitor;
  const shown = pool?.healthMonitor;
  if (shown === undefined) return undefined;
  // Its type cannot be changed: it goes, and the next round makes it anew.
  if (shown.type !== desired.monitor.type) return deleteMonitor(context, shown, "MonitorDrifted");
  const observed = { ...(monitor ?? newMonitor), type: shown.type };
  const change = difference(desired.monitor, observed, situation.userTags.former);
  if (isEmpty(change)) return undefined;
  return { kind: "update-monitor", name, id: shown.id, change, lane: wanted.lane, because: "MonitorDrifted" };
}

/** Kind by kind: a move renames all listeners first, then pools, then monitors, and members in one batch at last. */
export const correctingSteps: readonly Step[] = [
  correctListener,
  correctPool,
  correctMonitor,
  correctMembers,
  restoreMembers,
];
