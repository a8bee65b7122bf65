// Takes away what no longer belongs behind a balancer: members by the table of members.ts, then listeners and pools of ports that
// are no longer asked for. Only what bears our tag or one of our names.

import type { EndpointAction } from "./action.ts";
import { isHealthy, portOf } from "./health.ts";
import { membersWanted } from "./make-ports.ts";
import { memberToRemove } from "./members.ts";
import { isPortNameOf, portName } from "./names.ts";
import { hasOwnerTag } from "./ownership.ts";
import type { Ground, OnPort } from "./port-ground.ts";
import { balancerNames } from "./situation.ts";

export function removeMember(on: OnPort): EndpointAction | undefined {
  const { pool, seat, places, situation } = on;
  if (pool === undefined || places === undefined) return undefined;
  const leaving = memberToRemove(pool, membersWanted(on), { seat, situation });
  if (leaving === undefined) return undefined;
  const { id, name, address } = leaving;
  const removes = `member ${name} (${address})`;
  return {
    kind: "remove-member",
    name,
    poolId: pool.id,
    id,
    address,
    removes,
    lane: seat.lane,
    because: "MemberStale",
  };
}

/**
 * Of a port that is no longer asked for. A port with healthy members goes only while the API port has some too. Its pool goes first:
 * once its listener is gone, Octavia shows it in no status tree any more, and nobody would find it again.
 */
export function removeListener({ seat, seen, situation }: Ground): EndpointAction | undefined {
  const { ports, ownerId, intent } = situation;
  const serves = (port: number) => portOf(seen, port).pool?.members.some(isHealthy) ?? false;
  const names = balancerNames(situation.observed);
  const stale = seen.listeners
    .filter(({ port }) => !ports.includes(port) && (serves(intent.apiPort) || !serves(port)))
    .filter(({ tags, name, port }) => hasOwnerTag(tags, ownerId) || names.some((base) => portName(base, port) === name))
    .toSorted((a, b) => a.port - b.port)[0];
  if (stale === undefined) return undefined;
  const { id, name } = stale;
  const { pool } = portOf(seen, stale.port);
  if (pool !== undefined && names.some((base) => isPortNameOf(base, pool.name)))
    return {
      kind: "delete-pool",
      name: pool.name,
      id: pool.id,
      removes: `pool ${pool.name}`,
      lane: seat.lane,
      because: "PortRemoved",
    };
  return { kind: "delete-listener", name, id, removes: `listener ${name}`, lane: seat.lane, because: "PortRemoved" };
}

/** One that no listener leads to any more, and that bears one of our names. */
export function removePool({ seat, seen, situation }: Ground): EndpointAction | undefined {
  if (!seen.tree.known) return undefined;
  const { listeners, pools } = seen.tree.value;
  const used = new Set([
    ...listeners.flatMap(({ poolIds }) => poolIds),
    ...seen.listeners.flatMap(({ defaultPoolId }) => defaultPoolId ?? []),
  ]);
  const bases = balancerNames(situation.observed);
  const orphan = pools
    .filter(({ id, name }) => !used.has(id) && bases.some((base) => isPortNameOf(base, name)))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))[0];
  if (orphan === undefined) return undefined;
  const { id, name } = orphan;
  return { kind: "delete-pool", name, id, removes: `pool ${name}`, lane: seat.lane, because: "PortRemoved" };
}
