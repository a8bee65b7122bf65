// Gateways that were taken out of their pool: told to carry nothing as soon as the others know their places, and without our pairs on their
// ports after that. One that does not answer loses the pairs at once: what it still carries then reaches nobody.

import type { Wait } from "../../../../core/plan.ts";
import { type GatewayAction, gatewayLane } from "../model/actions.ts";
import { isEmptied } from "../model/document.ts";
import type { GatewayObserved } from "../model/observed.ts";
import type { Situation } from "../situation/situation.ts";
import { pairsToTake } from "./address-pairs.ts";
import { isUpToDate } from "./update-agents.ts";

/** How soon one that does not answer is asked again. */
const askAgainMs = 10_000;

export function stopGateways(situation: Situation): {
  readonly actions: readonly GatewayAction[];
  readonly waits: readonly Wait[];
} {
  const { leaving } = situation.observed;
  const carrying = leaving.filter((one) => !carriesNothing(one));
  const told = isUpToDate(situation) ? carrying.filter(({ state }) => state.kind === "answers") : [];
  const fenced = leaving.filter((one) => carriesNothing(one) || one.state.kind === "silent");
  return {
    actions: [...told.map((one) => stop(one, situation)), ...fenced.flatMap((one) => pairsToTake(one, situation))],
    waits: carrying.map(waitFor),
  };
}

/** Nothing is left to be done about it. */
export function hasStopped(one: GatewayObserved, situation: Situation): boolean {
  const { kind } = one.state;
  if (kind === "awaited" || (kind === "answers" && !carriesNothing(one))) return false;
  if ([one.external, one.internal].some((port) => port?.known === false)) return false;
  // Asked again until it answers, unless its port says that nobody can reach it.
  return (kind === "answers" || one.external !== undefined) && pairsToTake(one, situation).length === 0;
}

function carriesNothing({ state }: GatewayObserved): boolean {
  return state.kind === "answers" && (state.carried === undefined || isEmptied(state.carried));
}

function stop({ gateway: { name } }: GatewayObserved, { observed }: Situation): GatewayAction {
  return {
    kind: "stop-gateway",
    pool: observed.pool.metadata.name,
    gateway: name,
    lane: gatewayLane(name, "document"),
    words: `tell gateway ${name} to carry nothing`,
    removes: `everything that gateway ${name} carries`,
    because: "GatewayLeft",
  };
}

function waitFor({ gateway: { name }, state }: GatewayObserved): Wait {
  const lane = gatewayLane(name, "status");
  const message = `gateway ${name} left the pool and may still carry addresses`;
  if (state.kind !== "silent") return { reason: "GatewaysAwaited", message, recheckAfterMs: askAgainMs, lane };
  return { reason: state.reason, message: `${message}: ${state.message}`, recheckAfterMs: askAgainMs, lane };
}
