// What is remembered of the steps that were done for one object: how often, when, and since when they come back (repeated-steps.ts).

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { type Action, laneKey } from "../../core/plan.ts";
import { eagerTimes } from "./repeat-wait.ts";

export interface KnownStep {
  /** As it was last planned. */
  action: Action;
  /** How often it was done. */
  times: number;
  doneMs: number;
  /** When it may be done again. */
  notBeforeMs: number;
  /** Since when it has come back more often than may happen by chance; undefined: it has not. */
  repeatedSinceMs: number | undefined;
}

export interface KeySteps {
  readonly steps: Map<string, KnownStep>;
  /** Of what a person may have changed since; undefined until it was seen. */
  version: string | undefined;
  releasedMs: number;
}

/**
 * Something is made and taken away in turn. One step sets the pace, and what follows it in its lane follows at once: what was taken away
 * comes back without delay, and what is there stays until the next try.
 */
export function isFollowing(step: KnownStep | undefined, { steps }: KeySteps): boolean {
  const lane = laneKey(step?.action.lane);
  const [first] = [...steps.values()]
    .filter(({ action, times }) => times >= eagerTimes && laneKey(action.lane) === lane)
    .toSorted((a, b) => Number(b.action.removes !== undefined) - Number(a.action.removes !== undefined));
  return step !== undefined && first !== undefined && first !== step && first.doneMs > step.doneMs;
}

/** Those that asked for more or less of the same target, and did not help. */
export function repeatedSiblings({ lane, target }: Action, steps: KeySteps["steps"]): readonly KnownStep[] {
  if (target === undefined) return [];
  return [...steps.values()].filter(
    ({ action, repeatedSinceMs }) =>
      repeatedSinceMs !== undefined && action.target === target && laneKey(action.lane) === laneKey(lane),
  );
}

export function repeatedIn(known: KeySteps | undefined): readonly KnownStep[] {
  return [...(known?.steps.values() ?? [])].filter(({ repeatedSinceMs }) => repeatedSinceMs !== undefined);
}

/** Changes when a person changes the spec, or an annotation that speaks to Mainstay. */
export function versionForPeople({ metadata: { generation, annotations = {} } }: KubeObject): string {
  const ours = Object.entries(annotations).filter(([name]) => /(^|\.)mainstay\.dev\//.test(name));
  return JSON.stringify([generation, ours.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}
