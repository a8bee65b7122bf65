// Which parts of ours below a balancer are to be taken away and made again: those in ERROR, and pools that speak what nobody understands.

import type { Word } from "../../../../core/reasons.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { isSpokenOn } from "../model/port.ts";
import { isInError, isOurListener, isOurPool } from "../ports/port-context.ts";
import { poolsOf, portOf } from "./health.ts";
import type { Situation } from "./situation.ts";

type Facts = Pick<Situation, "observed" | "ownerId" | "ports">;

export interface BrokenPart {
  readonly action: {
    readonly kind: "delete-pool" | "delete-listener" | "delete-monitor";
    readonly id: string;
    readonly name: string;
    readonly removes: string;
    readonly because: Word;
  };
  /** In words. */
  readonly state: string;
}

/** Listeners and pools, on whichever port. */
export function brokenParts(seen: BalancerObserved, situation: Facts): readonly BrokenPart[] {
  if (!seen.tree.known) return [];
  const inError = seen.tree.value.pools.filter((pool) => isInError(pool) && isOurPool(pool, seen, situation));
  const nodes = new Map(seen.tree.value.listeners.map((node) => [node.id, node]));
  const listeners = seen.listeners.filter(
    (one) => isInError(nodes.get(one.id) ?? one) && isOurListener(one, situation),
  );
  return [
    ...inError.map((pool) => ({ action: deletion("pool", pool, "LoadBalancerInError"), state: "in ERROR" })),
    ...listeners.map((one) => ({ action: deletion("listener", one, "LoadBalancerInError"), state: "in ERROR" })),
    ...misspeakingPools(seen, situation).filter(({ action }) => !inError.some(({ id }) => id === action.id)),
  ];
}

/** One whose pool is in ERROR goes with it. */
export function brokenMonitors(seen: BalancerObserved, situation: Facts): readonly BrokenPart[] {
  return poolsOf(seen).flatMap((pool) => {
    const { healthMonitor: monitor } = pool;
    if (monitor === undefined || !isInError(monitor) || isInError(pool) || !isOurPool(pool, seen, situation)) return [];
    return [{ action: deletion("monitor", monitor, "LoadBalancerInError"), state: "in ERROR" }];
  });
}

/** People may come through it to the API. */
export function isOnApiPort(
  { action }: BrokenPart,
  seen: BalancerObserved,
  { intent }: Pick<Situation, "intent">,
): boolean {
  const { listener, pool } = portOf(seen, intent.apiPort);
  return [listener?.id, pool?.id, pool?.healthMonitor?.id].includes(action.id);
}

/** A pool's protocol cannot be changed. */
function misspeakingPools(seen: BalancerObserved, { ports }: Facts): readonly BrokenPart[] {
  const portOfPool = new Map(ports.map((port) => [portOf(seen, port).pool?.id, port]));
  return (seen.pools ?? []).flatMap((pool) => {
    const port = portOfPool.get(pool.id);
    if (port === undefined || isSpokenOn(pool, port)) return [];
    const state = `it speaks ${pool.protocol}, not ${port.protocol}`;
    return [{ action: deletion("pool", pool, "PoolDrifted"), state }];
  });
}

const nouns = { pool: "pool", listener: "listener", monitor: "health monitor" } as const;

function deletion(
  what: keyof typeof nouns,
  { id, name }: { readonly id: string; readonly name: string },
  because: Word,
): BrokenPart["action"] {
  return { kind: `delete-${what}`, id, name, removes: `${nouns[what]} ${name}`, because };
}
