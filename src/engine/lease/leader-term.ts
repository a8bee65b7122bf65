// One term of a leader, from taking the Lease to losing it. Its fence says how long writing is still safe. Once the term has ended
// the fence stays at zero, so that work planned in this term cannot write in a later one.

import type { Clock, Timer } from "../../ports/clock.ts";
import type { Fence } from "../../ports/kube.ts";

export interface Term {
  /** Higher than that of every earlier term of the same Lease, of any holder. */
  readonly epoch: number;
  readonly fence: Fence;
  /** Aborts when the term ends. */
  readonly signal: AbortSignal;
}

export interface LeaderTermOptions {
  readonly clock: Clock;
  readonly epoch: number;
  /** Monotonic moment before the request that took the Lease was sent. */
  readonly sentMs: number;
  readonly ownedMs: number;
  readonly renewDeadlineMs: number;
}

export class LeaderTerm implements Term {
  readonly epoch: number;
  readonly fence: Fence = { remainingMs: () => this.#remainingMs() };
  readonly #options: LeaderTermOptions;
  readonly #ended = new AbortController();
  #renewedMs: number;
  /** The same moment by the wall clock. */
  #renewedWallMs: number;
  #deadline: Timer | undefined;
  endedBecause = "";

  constructor(options: LeaderTermOptions) {
    this.#options = options;
    this.epoch = options.epoch;
    this.#renewedMs = options.sentMs;
    this.#renewedWallMs = this.#wallAt(options.sentMs);
    this.#armDeadline();
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Counts from when the renewal was sent. False when the term has ended meanwhile. */
  renewed(sentMs: number): boolean {
    if (this.#ended.signal.aborted) return false;
    this.#renewedMs = Math.max(this.#renewedMs, sentMs);
    this.#renewedWallMs = this.#wallAt(this.#renewedMs);
    this.#armDeadline();
    return true;
  }

  end(why: string): void {
    this.#deadline?.cancel();
    if (this.#ended.signal.aborted) return;
    this.endedBecause = why;
    this.#ended.abort();
  }

  /**
   * Monotonic time decides. It may stop while a whole machine sleeps, so that the wall clock counts too: it can only shorten what is
   * left, and a wall clock that jumps ahead costs no more than the time to the next renewal.
   */
  #remainingMs(): number {
    if (this.#ended.signal.aborted) return 0;
    const { clock, ownedMs } = this.#options;
    const monotonicMs = this.#renewedMs + ownedMs - clock.monotonicMs();
    return Math.min(monotonicMs, this.#renewedWallMs + ownedMs - clock.nowMs());
  }

  #wallAt(monotonicMs: number): number {
    const { clock } = this.#options;
    return clock.nowMs() - (clock.monotonicMs() - monotonicMs);
  }

  #armDeadline(): void {
    const { clock, renewDeadlineMs } = this.#options;
    this.#deadline?.cancel();
    const leftMs = this.#renewedMs + renewDeadlineMs - clock.monotonicMs();
    this.#deadline = clock.after(Math.max(0, leftMs), () => this.end(`not renewed for ${renewDeadlineMs} ms`));
  }
}

/** For a manager that runs alone, without leader election: one term that lasts until it is ended. */
export function soleTerm(signal: AbortSignal): Term {
  return { epoch: 0, fence: { remainingMs: () => (signal.aborted ? 0 : Number.MAX_SAFE_INTEGER) }, signal };
}
