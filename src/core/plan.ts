// The Plan: what to do now, what we are waiting for, what we refuse to do and why. Planners only return it;
// the engine carries it out; people read it.

import type { Word } from "./reasons.ts";

export interface Action {
  readonly kind: string;
  /** Why it is taken. */
  readonly because: Word;
  /** A part that must not be held up by the failure of another: a zone, a gateway. */
  readonly lane?: string;
  /** Of a lane that makes one change at a time: which one. When it fails it backs off alone, so that the next plan may take another. */
  readonly step?: string;
  /** Set when the action takes something away: names it in words, for guards and for people. */
  readonly removes?: string;
  /** What it does, for people, its part included. Without it kind and plain values have to do. */
  readonly words?: string;
}

/** What backs off when the action fails. */
export function backoffLane({ lane = "", step }: Pick<Action, "lane" | "step">): string {
  return step === undefined ? lane : `${lane}/${step}`;
}

export interface Wait {
  readonly reason: Word;
  readonly recheckAfterMs: number;
  readonly message?: string;
  readonly lane?: string;
}

export interface Refusal {
  readonly reason: Word;
  readonly message: string;
  readonly lane?: string;
}

export interface Plan<A extends Action = Action> {
  /** Ordered; each legal right now. Within a lane the order holds; lanes do not wait for each other. */
  readonly actions: readonly A[];
  readonly waits: readonly Wait[];
  readonly refusals: readonly Refusal[];
}

export const emptyPlan: Plan<never> = { actions: [], waits: [], refusals: [] };

export function isQuiet(plan: Plan): boolean {
  return plan.actions.length === 0 && plan.waits.length === 0;
}
