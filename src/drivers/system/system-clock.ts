// The machine's clock. Timers fire once, never early, and also after more than the 24 days that Node's own timers can count.
// The monotonic reading goes on while the process is stopped (SIGSTOP); it stands still while the whole machine sleeps.

import type { Clock, Timer } from "../../ports/clock.ts";

/** Node fires at once when a delay is longer than this. */
const longestDelayMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, callback) => {
    const dueMs = performance.now() + delayMs;
    let handle = arm();
    function arm(): NodeJS.Timeout {
      const leftMs = Math.max(0, Math.ceil(dueMs - performance.now()));
      return setTimeout(fire, Math.min(leftMs, longestDelayMs)).unref();
    }
    function fire(): void {
      if (performance.now() < dueMs) handle = arm();
      else callback();
    }
    return { cancel: () => clearTimeout(handle) } satisfies Timer;
  },
};
