// Plans what becomes of a single event of a watch, or of a watch that goes on where another ended: what the faults of this moment do to it.

import { chance, streamOf } from "../time/derive-seed.ts";
import { faultNamed } from "./all-faults.ts";
import type { DrawnFault } from "./fault.ts";

export type WatchMoment = "resumed" | "change" | "bookmark";

export interface WatchEventPlan {
  /** The stream ends here, in good order or not; torn: in the middle of the event. It and all behind it are lost. */
  breaks?: "end" | "broken" | "torn" | undefined;
  /** The last event of the watch before comes again. */
  repeats?: boolean;
  /** Waits for so long for others of the same object to take its place. */
  foldMs?: number;
  lost?: boolean;
}

export type PlanWatchEvent = (moment: WatchMoment) => WatchEventPlan;

export interface WatchEventPlannerOptions {
  readonly seed: number;
  readonly faults: readonly DrawnFault[];
  readonly nowMs: () => number;
}

export function watchEventPlanner({ seed, faults, nowMs }: WatchEventPlannerOptions): PlanWatchEvent {
  const eventFaults = faults.flatMap((drawn) => {
    const fault = faultNamed(drawn.name)?.event;
    return fault === undefined ? [] : [{ ...drawn, fault, stream: streamOf(seed, `fault ${drawn.name}`) }];
  });
  return (moment) => {
    const eventPlan: WatchEventPlan = {};
    const atMs = nowMs();
    for (const { fromMs, toMs, rate, fault, stream } of eventFaults) {
      if (fault.on === moment && atMs >= fromMs && atMs < toMs && chance(stream, rate)) fault.apply(eventPlan, stream);
    }
    return eventPlan;
  };
}
