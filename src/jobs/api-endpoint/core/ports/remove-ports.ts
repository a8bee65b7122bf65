// Takes away what no longer belongs behind a balancer: members by the table of members.ts, then listeners and pools of ports that
// are no longer asked for. Only what bears our tag or one of our names.

import { membersToRemove } from "../members/members.ts";
import type { EndpointAction } from "../model/action.ts";
import { isOn } from "../model/port.ts";
import { behindListener, healthBehind, healthIn } from "../situation/health.ts";
import { type BalancerContext, isOurListener, isOurPool, type PortContext } from "./port-context.ts";

export function removeMembers({ pool, desired, wanted, situation }: PortContext): readonly EndpointAction[] {
  if (pool === undefined || !situation.observed.places.known) return [];
  const { id: poolId } = pool;
  const { lane } = wanted;
  return membersToRemove(pool, desired.members, { wanted, situation }).map(({ id, name, address }) => {
    const removes = `member ${name} (${address})`;
    return { kind: "remove-member", name, poolId, id, address, removes, lane, because: "MemberStale" };
  });
}

/**
 * Of a port that is no longer asked for. A port with healthy members goes only while the API port has some too. Its pool goes first:
 * once its listener is gone, Octavia shows it in no status tree any more, and nobody would find it again.
 */
export function removeListener({ wanted, seen, situation }: BalancerContext): EndpointAction | undefined {
  const { ports, intent, observed } = situation;
  const isApiServed = healthBehind(seen, intent.apiPort, observed) === "good";
  const stale = seen.listeners
    .filter((listener) => !ports.some((port) => isOn(listener, port)) && isOurListener(listener, situation))
    .filter((listener) => isApiServed || healthIn(seen, behindListener(seen, listener).pool, observed) === "bad")
    .toSorted((a, b) => a.port - b.port)[0];
  if (stale === undefined) return undefined;
  const { id, name } = stale;
  const { pool } = behindListener(seen, stale);
  if (pool !== undefined && isOurPool(pool, seen, situation))
    return {
      kind: "delete-pool",
      name: pool.name,
      id: pool.id,
      removes: `pool ${pool.name}`,
      lane: wanted.lane,
      because: "PortRemoved",
    };
  return { kind: "delete-listener", name, id, removes: `listener ${name}`, lane: wanted.lane, because: "PortRemoved" };
}

/** One that no listener leads to any more. */
export function removePool({ wanted, seen, situation }: BalancerContext): EndpointAction | undefined {
  if (!seen.tree.known) return undefined;
  const { listeners, pools } = seen.tree.value;
  const used = new Set([
    ...listeners.flatMap(({ poolIds }) => poolIds),
    ...seen.listeners.flatMap(({ defaultPoolId }) => defaultPoolId ?? []),
  ]);
  const orphan = pools
    .filter((pool) => !used.has(pool.id) && isOurPool(pool, seen, situation))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))[0];
  if (orphan === undefined) return undefined;
  const { id, name } = orphan;
  return { kind: "delete-pool", name, id, removes: `pool ${name}`, lane: wanted.lane, because: "PortRemoved" };
}
