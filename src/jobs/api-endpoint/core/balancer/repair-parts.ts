// Parts of ours below a balancer that are in ERROR, or speak what nobody understands: they are taken away and made again.
//
//   listener or pool on the API port      as its balancer (repair.ts): people may come through it
//   listener or pool on another port      after everything else that is due
//   health monitor                        at once, it carries nothing; but with a pause after each time
//
// A member in ERROR is in members.ts.

import type { Refusal, Wait } from "../../../../core/plan.ts";
import type { Word } from "../../../../core/reasons.ts";
import type { EndpointAction } from "../model/action.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { isSpokenOn } from "../model/port.ts";
import { ageMs } from "../model/time-of-octavia.ts";
import { isInError, isOurListener, isOurPool } from "../ports/port-context.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { poolsOf, portOf } from "../situation/health.ts";
import type { Situation } from "../situation/situation.ts";
import { pauseBetweenRebuildsMs } from "./pauses.ts";
import { agreedRepair } from "./repair-consent.ts";
import { goesByConsent, whyKept } from "./why-kept.ts";

/** Of one balancer. What is done about the API port comes before everything else; a side port waits until the others have what they need. */
export interface PartRepair {
  readonly first?: EndpointAction;
  readonly last?: EndpointAction;
  readonly refusals: readonly Refusal[];
  readonly waits: readonly Wait[];
}

/** What is in ERROR cannot be changed, nor anything below it, nor what a pool speaks. */
export function repairParts(wanted: WantedBalancer, seen: BalancerObserved, situation: Situation): PartRepair {
  const { lane } = wanted;
  const api = portOf(seen, situation.intent.apiPort);
  const broken = brokenParts(seen, situation);
  const monitors = brokenMonitors(seen, situation);
  const refused = (parts: readonly BrokenPart[], why: string) =>
    parts.map(
      ({ action, state }): Refusal => ({
        reason: "LoadBalancerInError",
        message: `${action.removes}: ${state}, and it is not made again because ${why}`,
        lane,
      }),
    );
  if (wanted.role === "fallback") {
    const stays = "the legacy balancer only stays until its removal is agreed";
    return { refusals: refused([...broken, ...monitors], stays), waits: [] };
  }
  const apiParts = [api.pool?.id, api.listener?.id, api.pool?.healthMonitor?.id];
  const isOnApiPort = ({ action }: BrokenPart) => apiParts.includes(action.id);
  const inTheWay = broken.filter(isOnApiPort);
  const held = whyKept(seen, situation);
  const pause = monitors.length === 0 ? undefined : monitorPause(wanted, seen, situation);
  const due = [...(held === undefined ? inTheWay : []), ...(pause === undefined ? monitors : [])];
  const first = due.find(isOnApiPort);
  const last = [...broken, ...due].find((part) => !isOnApiPort(part));
  const agreed = held === undefined && goesByConsent(seen, situation) ? inTheWay.slice(0, 1) : [];
  return {
    ...(first === undefined ? {} : { first: { ...first.action, lane } }),
    ...(last === undefined ? {} : { last: { ...last.action, lane } }),
    refusals:
      held === undefined
        ? agreed.map(({ action, state }) => agreedRepair(`${action.removes}: ${state}`, "made again", lane))
        : refused(inTheWay, held),
    waits: pause === undefined ? [] : [{ ...pause, message: monitors.map(partWords).join(", ") }],
  };
}

/** Octavia could not set it up a moment ago: it is not asked again in a frenzy. */
function monitorPause(
  { lane }: WantedBalancer,
  { balancer }: BalancerObserved,
  { cloudNowMs }: Situation,
): Wait | undefined {
  const leftMs = pauseBetweenRebuildsMs - ageMs(balancer.updatedAt ?? balancer.createdAt, cloudNowMs);
  return leftMs <= 0 ? undefined : { reason: "LoadBalancerInError", recheckAfterMs: leftMs, lane };
}

interface BrokenPart {
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

function partWords({ action, state }: BrokenPart): string {
  return `${action.removes}: ${state}; nobody knows who answers, and it is made again in a while`;
}

function brokenParts(seen: BalancerObserved, situation: Situation): readonly BrokenPart[] {
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
function brokenMonitors(seen: BalancerObserved, situation: Situation): readonly BrokenPart[] {
  return poolsOf(seen).flatMap((pool) => {
    const { healthMonitor: monitor } = pool;
    if (monitor === undefined || !isInError(monitor) || isInError(pool) || !isOurPool(pool, seen, situation)) return [];
    return [{ action: deletion("monitor", monitor, "LoadBalancerInError"), state: "in ERROR" }];
  });
}

/** A pool's protocol cannot be changed. */
function misspeakingPools(seen: BalancerObserved, { ports }: Situation): readonly BrokenPart[] {
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
