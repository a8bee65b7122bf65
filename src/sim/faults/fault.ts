// A fault: something that happens to single calls or watch events at some rate, or to the world at some times. A seed draws a few of
// them, each with its rate and its window; outside of its window a fault does nothing.

import type { Random } from "../../ports/random.ts";
import type { CallPlan, PortCall } from "../network/port-call.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import type { RevisionsAfter } from "./storage.ts";
import type { WatchEventPlan, WatchMoment } from "./watch-event-planner.ts";

/** What a timed fault may do to a world. Everything that lasts ends by itself, and at the latest when faults end. */
export interface WorldControls {
  readonly random: Random;
  processes(): readonly SimProcess[];
  leader(): SimProcess | undefined;
  ports(): readonly string[];
  pause(process: SimProcess, ms: number): void;
  kill(process: SimProcess): void;
  /** As an update does: stopped with grace, and another one started. */
  replace(process: SimProcess): void;
  cutOff(process: SimProcess, port: string, ms: number): void;
  holdWatches(process: SimProcess, ms: number): void;
  skewClock(process: SimProcess, ms: number): void;
  away(port: string, ms: number): void;
  closeWatches(): void;
  compactHistory(): void;
  /** Storage goes back to what it was so long ago; once in the life of a world. */
  restore(agoMs: number, revisions: RevisionsAfter): void;
  deleteLease(): void;
  /** A part of a system (a location) answers nothing until faults have ended and its neighbours were checked. */
  partDown(): void;
  /** One answers late, as long. */
  partSlow(): void;
}

export interface Fault {
  readonly name: string;
  /** In words, for the summary. */
  readonly does: string;
  /** How much more often than others it is drawn. */
  readonly likely?: number;
  /** It is drawn in this share of worlds, from a stream of its own: those from before it was thought of stay as they were. */
  readonly apartShare?: number;
  /** Changes the plan of single calls, at a rate that is drawn from here. */
  readonly call?: {
    readonly rate: readonly [low: number, high: number];
    readonly affects?: (call: PortCall) => boolean;
    /** Multiplies the rate; how many calls there were before for the same purpose may matter. */
    readonly weight?: (call: PortCall, callsBefore: number) => number;
    readonly apply: (callPlan: CallPlan, random: Random) => void;
  };
  /** Changes what becomes of single watch events. It counts when it takes effect. */
  readonly event?: {
    readonly rate: readonly [low: number, high: number];
    readonly on: WatchMoment;
    readonly apply: (callPlan: WatchEventPlan, random: Random) => void;
  };
  /** Happens again and again, with pauses drawn from here. */
  readonly timed?: {
    readonly everyMs: readonly [low: number, high: number];
    readonly apply: (controls: WorldControls) => void;
  };
}

/** A fault as a seed drew it. */
export interface DrawnFault {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly rate: number;
}
