// The Plan: what to do now, what to wait for, what is refused and why. Planners return it, the engine executes it, people read it.

import type { Reason, Word } from "./reasons.ts";

/** A part that must not be held up by the failure of another (a zone, a gateway), or an aspect of it that fails for reasons of its own. */
export interface Lane {
  /** Not empty; each part of an object has another. */
  readonly part: string;
  readonly aspect?: string;
}

/** The key of a lane; empty for actions without a lane. */
export function laneKey(lane: Lane | undefined): string {
  if (lane === undefined) return "";
  const { part, aspect } = lane;
  return aspect === undefined ? escaped(part) : `${escaped(part)}/${escaped(aspect)}`;
}

/** For people. */
export function laneName({ part, aspect }: Lane): string {
  return aspect === undefined ? part : `${part}/${aspect}`;
}

/** The key of what backs off when the action fails. */
export function backoffKey({ lane, step }: Pick<Action, "lane" | "step">): string {
  return step === undefined ? laneKey(lane) : `${laneKey(lane)}#${step}`;
}

/** Without the characters that separate the parts of a key. */
function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("/", "%2F").replaceAll("#", "%23");
}

export interface Action {
  readonly kind: string;
  /** Why it is taken. */
  readonly because: Word;
  readonly lane?: Lane;
  /** Of a lane that makes one change at a time: which one. When it fails it backs off alone, so that the next plan may take another. */
  readonly step?: string;
  /**
   * What it changes, where one change may ask for more or less of it: a part of what did not help is no other step, and waits with it
   * after one try of its own.
   */
  readonly target?: string;
  /** Set when the action takes something away: names it in words, for guards and for people. */
  readonly removes?: string;
  /**
   * By the world's own times it was done before and did not help, and should rest for so long. An engine that remembers doing it knows how
   * long by itself; one that was restarted since does not.
   */
  readonly restMs?: number;
  /**
   * It backs off, and what it rests on was not observed for it: it is not begun in this round, also when its time comes meanwhile. It is
   * planned all the same, so that it stays known why it failed.
   */
  readonly notNow?: true;
  /** What it does, for people, its part included. Without it kind and plain values have to do. */
  readonly words?: string;
}

export interface Wait {
  readonly reason: Word;
  readonly recheckAfterMs: number;
  /** For the status that this round reports: as long as that has to wait itself, nobody rechecks. */
  readonly awaitsStatus?: boolean;
  readonly message?: string;
  readonly lane?: Lane;
}

export interface Refusal {
  readonly reason: Reason;
  readonly message: string;
  /** The message for where the lane's part is named already; absent where it is the same. */
  readonly messageInPart?: string;
  readonly lane?: Lane;
}

export interface Plan<A extends Action = Action> {
  /** Ordered; each legal right now. Within a lane the order holds; lanes do not wait for each other. */
  readonly actions: readonly A[];
  readonly waits: readonly Wait[];
  readonly refusals: readonly Refusal[];
}

export const emptyPlan: Plan<never> = { actions: [], waits: [], refusals: [] };
