// Which of the steps that are due on one balancer has its turn: one a round, since each makes the balancer PENDING. The first in the
// planner's order. One that failed yields to every other until it succeeds, and so does one that would take the last way in: nothing waits
// for what the cloud refuses, nor for another zone that is read again (removal/fresh-health.ts). A request of several parts that failed is tried part by part.

import { backoffKey } from "../../../../core/plan.ts";
import type { EndpointAction } from "../model/action.ts";
import { needsFreshHealth } from "../removal/fresh-health.ts";
import { takesLast } from "../removal/never-last.ts";
import type { Situation } from "../situation/situation.ts";

/** `due` in the order that is right as long as nothing is refused. */
export function takeTurn(due: Iterable<EndpointAction>, situation: Situation): EndpointAction | undefined {
  let next: { readonly step: EndpointAction; readonly inMs: number } | undefined;
  for (const action of due) {
    for (const step of [action, ...partsOf(action)].map(asStep)) {
      const inMs = takesLast(step, situation) ? Infinity : dueIn(step, situation);
      if (inMs === undefined) return step;
      if (next === undefined || inMs < next.inMs) next = { step, inMs };
    }
  }
  return next?.step;
}

/** It failed, and its time to be tried again has not come. */
export function isHeld(action: EndpointAction, situation: Situation): boolean {
  return (failedFor(asStep(action), situation) ?? 0) > 0;
}

/** One that has to wait until others are read again comes after those that need not, and before those that fail. */
function dueIn(step: EndpointAction, situation: Situation): number | undefined {
  return failedFor(step, situation) ?? (needsFreshHealth(step, situation) ? 0 : undefined);
}

/** How long until it may be tried again; undefined when it has not failed. */
function failedFor(step: EndpointAction, { observed }: Situation): number | undefined {
  return observed.failed?.get(backoffKey(step));
}

/**
 * Of what it is and what it asks for: asking for something else has not failed yet. But for all tries to change one thing there is one pace,
 * whole or part by part: each makes the balancer PENDING.
 */
export function asStep(action: EndpointAction): EndpointAction {
  const name = "name" in action ? [action.name] : [];
  const words = [
    action.kind,
    ...("id" in action ? [action.id] : []),
    ...name,
    ...("change" in action ? Object.keys(action.change).toSorted() : []),
    ...("addresses" in action ? [action.addresses] : []),
  ];
  return { ...action, step: words.join(" "), target: [action.kind, ...name].join(" ") };
}

function partsOf(action: EndpointAction): readonly EndpointAction[] {
  if (action.kind === "merge-members" && action.members.length > 1)
    return action.members.map((member) => ({ ...action, members: [member], addresses: member.address }));
  if (!("change" in action)) return [];
  const parts = Object.entries(action.change);
  return parts.length < 2 ? [] : parts.map(([field, value]) => ({ ...action, change: { [field]: value } }));
}
