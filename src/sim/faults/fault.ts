// A fault: something that happens to single calls at some rate, or to the world at some moments. A seed draws a few of them, each
// with its rate and its window; outside of its window a fault does nothing.

import type { Random } from "../../ports/random.ts";
import type { Fate, PortCall } from "../network/port-call.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import type { WatchFate, WatchMoment } from "./plan-watch-event.ts";
import type { RevisionsAfter } from "./storage.ts";

/** What a fault of moments may do. Everything that lasts heals by itself, and at the latest when faults end. */
export interface FaultHands {
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
  /** A part of a system (a site) answers nothing until faults have ended and its neighbours were looked at. */
  partDown(): void;
}

export interface Fault {
  readonly name: string;
  /** In words, for the summary. */
  readonly does: string;
  /** How much more often than others it is drawn. */
  readonly likely?: number;
  /** For each call it is asked whether it strikes; the rate is drawn from here. */
  readonly call?: {
    readonly rate: readonly [low: number, high: number];
    readonly strikes?: (call: PortCall) => boolean;
    /** Multiplies the rate; how many calls there were before for the same purpose may matter. */
    readonly weight?: (call: PortCall, callsBefore: number) => number;
    readonly strike: (fate: Fate, random: Random) => void;
  };
  /** For what happens on a watch, one event at a time. It counts when it takes effect. */
  readonly event?: {
    readonly rate: readonly [low: number, high: number];
    readonly on: WatchMoment;
    readonly strike: (fate: WatchFate, random: Random) => void;
  };
  /** Strikes again and again, with pauses drawn from here. */
  readonly moment?: {
    readonly everyMs: readonly [low: number, high: number];
    readonly strike: (hands: FaultHands) => void;
  };
}

/** A fault as a seed drew it. */
export interface DrawnFault {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly rate: number;
}
