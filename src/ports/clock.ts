// Time as a port, so that engine and controllers run in virtual time.

import type { MonotonicMs, WallMs } from "../core/clock-times.ts";

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall-clock time: for people and for objects, never for measuring how long something took. */
  nowMs(): WallMs;
  /** Never goes backwards and does not stop with a suspended process: for deadlines, back-off and leases. */
  monotonicMs(): MonotonicMs;
  /** Calls back once after the delay. A pending timer does not keep the process alive by itself. */
  after(delayMs: number, callback: () => void): Timer;
}
