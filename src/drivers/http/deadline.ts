// One deadline for everything a call does, on the clock port, joined with the caller's own signal.

import type { Clock } from "../../ports/clock.ts";

/** The abort reason when the deadline has passed, to tell it from the caller's abort. */
export class DeadlineExceeded extends Error {
  readonly deadlineMs: number;

  constructor(deadlineMs: number) {
    super(`deadline of ${deadlineMs} ms exceeded`);
    this.name = "DeadlineExceeded";
    this.deadlineMs = deadlineMs;
  }
}

export interface Deadline {
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Throws when time is up even though the timer has not run yet, as after a paused process. */
  check(): void;
  /** The call is over: removes the timer and the listener. */
  end(): void;
}

export function startDeadline(clock: Clock, deadlineMs: number, signal?: AbortSignal): Deadline {
  const controller = new AbortController();
  const endsAt = clock.monotonicMs() + deadlineMs;
  const exceed = () => controller.abort(new DeadlineExceeded(deadlineMs));
  const follow = () => controller.abort(signal?.reason);
  const timer = clock.after(Math.max(0, deadlineMs), exceed);
  if (signal?.aborted === true) follow();
  else signal?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    remainingMs: () => endsAt - clock.monotonicMs(),
    check() {
      if (clock.monotonicMs() >= endsAt) exceed();
      controller.signal.throwIfAborted();
    },
    end() {
      timer.cancel();
      signal?.removeEventListener("abort", follow);
    },
  };
}

/** Resolves after the delay, rejects with the signal's reason when that comes first. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortReason(signal));
    const timer = clock.after(delayMs, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    function stop(): void {
      timer.cancel();
      reject(abortReason(signal));
    }
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Settles as the promise does, or rejects with the signal's reason when that comes first. The work itself is not stopped. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortReason(signal));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** What `signal` was aborted with, as an error: a signal may carry anything. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}
