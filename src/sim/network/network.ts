// The network of a simulated world as calls see it: what they leave behind (a trace, events for checkers), and what they may do to the
// process that sent them.

import type { SimEvents } from "../checkers/sim-events.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import type { Trace } from "../run/trace.ts";
import type { Scheduler } from "../time/scheduler.ts";
import type { CallPlan, PortCall } from "./port-call.ts";

export interface Network {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly events: SimEvents;
  /** Writes that have left and not arrived: what they do is still to come. */
  readonly onTheWay: Set<PortCall>;
  readonly isAway: (port: string) => boolean;
  readonly kill: (call: PortCall, fault: string) => void;
  readonly stop: (call: PortCall, ms: number) => void;
  /** Somebody else changes the object that the call is about. */
  readonly racingWrite: (call: PortCall) => Promise<void>;
}

/** Decides what becomes of a call, from the seed. */
export type PlanCall = (call: PortCall) => CallPlan;

/** One process on the network. */
export interface NetworkAccess {
  readonly process: SimProcess;
  readonly network: Network;
  readonly planCall: PlanCall;
}
