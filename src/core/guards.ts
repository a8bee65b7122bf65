// Guards turn a plan into a plan that does less: they never add an action and never change the order. A refused action stops its lane
// as a failed one would, because later actions of the lane rely on it.
//
//   dry-run          nothing is done; each action becomes a refusal that says what would have been done
//   no-deletes       what takes something away is refused
//   max-removals=N   when more than N removals are planned at once, none of them is made

import { describeAction } from "./describe-action.ts";
import { type Action, laneKey, type Plan, type Refusal } from "./plan.ts";
import type { Reason } from "./reasons.ts";

export type Guard = <A extends Action>(plan: Plan<A>) => Plan<A>;

export const dryRun: Guard = (plan) => ({
  ...plan,
  actions: [],
  refusals: [
    ...plan.refusals,
    ...plan.actions.map((action) => refusal(action, "DryRun", `would ${describeAction(action)}`)),
  ],
});

export const noDeletes: Guard = (plan) =>
  refuseRemovals(plan, "DeletesForbidden", (action) => `not done: ${describeAction(action)}; removals are forbidden`);

export function maxRemovals(limit: number): Guard {
  return (plan) => {
    const count = plan.actions.filter(isRemoval).length;
    if (count <= limit) return plan;
    const why = `${count} removals are planned at once and ${limit} are allowed`;
    return refuseRemovals(plan, "TooManyRemovals", (action) => `not done: ${describeAction(action)}; ${why}`);
  };
}

/** Applied from left to right. */
export function allGuards(guards: readonly Guard[]): Guard {
  return (plan) => guards.reduce((guarded, guard) => guard(guarded), plan);
}

export type ParsedGuard = { readonly guard: Guard } | { readonly problem: string };

export function parseGuard(text: string): ParsedGuard {
  if (text === "dry-run") return { guard: dryRun };
  if (text === "no-deletes") return { guard: noDeletes };
  const limit = /^max-removals=(\d{1,9})$/.exec(text)?.[1];
  if (limit !== undefined) return { guard: maxRemovals(Number(limit)) };
  return { problem: `guard "${text}" is not known; known are dry-run, no-deletes and max-removals=N with N from 0` };
}

function refuseRemovals<A extends Action>(plan: Plan<A>, reason: Reason, say: (action: A) => string): Plan<A> {
  const stoppedBy = new Map<string, A>();
  const actions: A[] = [];
  const refusals: Refusal[] = [...plan.refusals];
  for (const action of plan.actions) {
    const blocker = stoppedBy.get(laneKey(action.lane));
    if (isRemoval(action)) {
      if (blocker === undefined) stoppedBy.set(laneKey(action.lane), action);
      refusals.push(refusal(action, reason, say(action)));
    } else if (blocker === undefined) {
      actions.push(action);
    } else {
      refusals.push(
        refusal(action, reason, `not done: ${describeAction(action)}; it comes after ${describeAction(blocker)}`),
      );
    }
  }
  return { ...plan, actions, refusals };
}

function isRemoval(action: Action): boolean {
  return action.removes !== undefined;
}

function refusal(action: Action, reason: Reason, message: string): Refusal {
  return action.lane === undefined ? { reason, message } : { reason, message, lane: action.lane };
}
