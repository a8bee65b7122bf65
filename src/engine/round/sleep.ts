// Waiting on the clock port. A wait that is cancelled ends at once, and the caller learns that.

import type { Clock } from "../../ports/clock.ts";

/** True after the delay; false as soon as the signal aborts. Never rejects. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<boolean> {
  return sleepUntilAny(clock, ms, signal === undefined ? [] : [signal]);
}

/** As `sleep`, cancelled by whichever signal is first. */
export function sleepUntilAny(clock: Clock, ms: number, signals: readonly AbortSignal[]): Promise<boolean> {
  return new Promise((resolve) => {
    if (signals.some(({ aborted }) => aborted)) {
      resolve(false);
      return;
    }
    const end = (slept: boolean): void => {
      timer.cancel();
      for (const signal of signals) signal.removeEventListener("abort", onAbort);
      resolve(slept);
    };
    const onAbort = (): void => end(false);
    const timer = clock.after(ms, () => end(true));
    for (const signal of signals) signal.addEventListener("abort", onAbort, { once: true });
  });
}
