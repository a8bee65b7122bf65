// Time that moves only when told to. Timers run in the order they fall due, and promise jobs settle between two timers.
// Knows no real time: the same calls always give the same run.

import type { Clock, Timer } from "../../src/ports/clock.ts";

interface Pending {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
  /** Who asked for it; only once time seems to stand still. */
  readonly askedBy?: string | undefined;
}

export interface VirtualClockOptions {
  /** Wall-clock time at the start. */
  readonly startMs?: number;
  /** Lets asynchronous work finish. The default runs promise jobs only; give another one where real IO takes part. */
  readonly settle?: () => Promise<void>;
}

// Long enough for an event to pass through a dozen nested async iterators, short enough to cost microseconds.
const settleRounds = 400;

/** So many timers at one moment are a loop that would never end, and whoever runs it would never know where. */
const mostAtOneMoment = 100_000;

async function settlePromises(): Promise<void> {
  for (let round = 0; round < settleRounds; round += 1) await Promise.resolve();
}

export class VirtualClock implements Clock {
  readonly #startMs: number;
  readonly #settle: () => Promise<void>;
  #elapsedMs = 0;
  #skewMs = 0;
  #paused = false;
  #order = 0;
  #atThisMoment = 0;
  /** Sorted: the next one to run is last. */
  readonly #pending: Pending[] = [];

  constructor({ startMs = Date.UTC(2026, 0, 1), settle = settlePromises }: VirtualClockOptions = {}) {
    this.#startMs = startMs;
    this.#settle = settle;
  }

  nowMs(): number {
    return this.#startMs + this.#elapsedMs + this.#skewMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    this.#order += 1;
    const askedBy = this.#atThisMoment > mostAtOneMoment / 2 ? new Error("asked for here").stack : undefined;
    const timer = { dueMs: this.#elapsedMs + Math.max(0, delayMs), order: this.#order, callback, askedBy };
    this.#pending.splice(this.#positionOf(timer), 0, timer);
    return { cancel: () => this.#remove(timer) };
  }

  get pendingTimers(): number {
    return this.#pending.length;
  }

  /** Moves the wall clock away from true time; monotonic time does not notice. */
  setWallSkew(skewMs: number): void {
    this.#skewMs = skewMs;
  }

  /** As SIGSTOP does: time goes on, timers wait. */
  pause(): void {
    this.#paused = true;
  }

  /** Overdue timers run with the next advance, of zero even. */
  resume(): void {
    this.#paused = false;
  }

  async settle(): Promise<void> {
    await this.#settle();
  }

  async advance(ms: number): Promise<void> {
    await this.#run(this.#elapsedMs + ms, () => false);
  }

  /** True as soon as the predicate holds; false when it does not within the time. */
  async runUntil(predicate: () => boolean, maxMs: number): Promise<boolean> {
    return await this.#run(this.#elapsedMs + maxMs, predicate);
  }

  async #run(endMs: number, done: () => boolean): Promise<boolean> {
    await this.#settle();
    while (!done()) {
      const next = this.#pending.at(-1);
      if (this.#paused || next === undefined || next.dueMs > endMs) {
        this.#elapsedMs = Math.max(this.#elapsedMs, endMs);
        return false;
      }
      this.#pending.pop();
      this.#atThisMoment = next.dueMs > this.#elapsedMs ? 0 : this.#atThisMoment + 1;
      if (this.#atThisMoment > mostAtOneMoment)
        throw new Error(
          `time stands still after ${mostAtOneMoment} timers at ${this.#elapsedMs} ms; the last: ${next.askedBy}`,
        );
      // An overdue timer (after a pause) must not turn time back.
      this.#elapsedMs = Math.max(this.#elapsedMs, next.dueMs);
      next.callback();
      await this.#settle();
    }
    return true;
  }

  #positionOf(timer: Pending): number {
    let low = 0;
    let high = this.#pending.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#pending[middle];
      if (other !== undefined && runsAfter(other, timer)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #remove(timer: Pending): void {
    const position = this.#positionOf(timer);
    if (this.#pending[position] === timer) this.#pending.splice(position, 1);
  }
}

function runsAfter(a: Pending, b: Pending): boolean {
  return a.dueMs > b.dueMs || (a.dueMs === b.dueMs && a.order > b.order);
}
