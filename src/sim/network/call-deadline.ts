// The time a simulated call has: its signal aborts when that is over, or when the caller hangs up.

import type { SimProcess } from "../processes/sim-process.ts";

export interface CallDeadline {
  readonly ms: number;
  readonly signal: AbortSignal;
  end(): void;
}

export interface CallTime {
  readonly ms: number;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** What the call ends with when its time is over. */
  readonly timeoutError: Error;
}

export function startDeadline(process: SimProcess, { ms, signal, timeoutError }: CallTime): CallDeadline {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal?.reason);
  const timer = process.clock.after(Math.max(0, ms), () => controller.abort(timeoutError));
  if (signal?.aborted === true) follow();
  else signal?.addEventListener("abort", follow, { once: true });
  const end = (): void => {
    timer.cancel();
    signal?.removeEventListener("abort", follow);
  };
  return { ms, signal: controller.signal, end };
}
