// UpdateAgents: every gateway that answers and does not carry the latest document is sent it. A lane for each gateway: one that is slow or
// fails holds up nobody. One that does not answer is asked again, and caught up with when it does.

import type { Wait } from "../../../../core/plan.ts";
import { answering } from "../gateways/carried.ts";
import { type GatewayAction, gatewayLane } from "../model/actions.ts";
import { compareVersions } from "../model/document.ts";
import type { Situation } from "../situation/situation.ts";

/** How soon one that does not answer is asked again. */
const askAgainMs = 10_000;

export function updateAgents(situation: Situation): readonly GatewayAction[] {
  const { observed, document, isLeaving } = situation;
  return answering(observed)
    .filter(({ state: { carried } }) => {
      if (carried === undefined) return !isLeaving;
      return compareVersions(carried.version, document.version) !== 0;
    })
    .map(({ gateway: { name } }) => ({
      kind: "push-document",
      pool: observed.pool.metadata.name,
      gateway: name,
      version: `${document.version.epoch}.${document.version.generation}`,
      lane: gatewayLane(name, "document"),
      words: `update gateway ${name} to document ${document.version.epoch}.${document.version.generation}`,
      because: "DocumentOutdated",
    }));
}

export function isUpToDate({ observed, document }: Situation): boolean {
  return observed.gateways.every(({ state }) => {
    if (state.kind === "awaited") return false;
    if (state.kind === "silent") return true;
    return state.carried !== undefined && compareVersions(state.carried.version, document.version) === 0;
  });
}

export function gatewayWaits({ observed }: Situation): readonly Wait[] {
  return observed.gateways.flatMap(({ gateway: { name }, state }): readonly Wait[] => {
    const lane = gatewayLane(name, "status");
    if (state.kind === "silent")
      return [{ reason: state.reason, message: state.message, recheckAfterMs: askAgainMs, lane }];
    if (state.kind === "awaited")
      return [{ reason: "AnswerAwaited", message: `gateway ${name} was asked`, recheckAfterMs: askAgainMs, lane }];
    return [];
  });
}
