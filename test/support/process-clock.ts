// The clock of one process among several that share true time: it can run fast or slow, show another wall time, and be stopped
// as SIGSTOP does (time goes on, nothing runs until SIGCONT).

import type { Clock, Timer } from "../../src/ports/clock.ts";

export class ProcessClock implements Clock {
  readonly #truth: Clock;
  readonly #rate: number;
  readonly #wallSkewMs: number;
  #overdue: (() => void)[] = [];
  #stopped = false;

  constructor(
    truth: Clock,
    { rate = 1, wallSkewMs = 0 }: { readonly rate?: number; readonly wallSkewMs?: number } = {},
  ) {
    this.#truth = truth;
    this.#rate = rate;
    this.#wallSkewMs = wallSkewMs;
  }

  nowMs(): number {
    return this.#truth.nowMs() + this.#wallSkewMs;
  }

  monotonicMs(): number {
    return this.#truth.monotonicMs() * this.#rate;
  }

  after(delayMs: number, callback: () => void): Timer {
    let cancelled = false;
    const run = (): void => {
      if (cancelled) return;
      if (this.#stopped) this.#overdue.push(run);
      else callback();
    };
    const timer = this.#truth.after(delayMs / this.#rate, run);
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
      },
    };
  }

  stop(): void {
    this.#stopped = true;
  }

  /** What fell due meanwhile runs in the order it did, each to its end: an answer that came in may be read before a timer runs. */
  async continue(): Promise<void> {
    this.#stopped = false;
    for (const run of this.#overdue.splice(0)) {
      run();
      for (let job = 0; job < 100; job += 1) await Promise.resolve();
    }
  }
}
