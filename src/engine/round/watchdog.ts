// Ends a stream that has been silent for too long: a connection can be dead without either side noticing.

import type { Clock, Timer } from "../../ports/clock.ts";

export interface WatchdogOptions {
  readonly clock: Clock;
  /** The stream ends when this signal aborts, too. */
  readonly parent: AbortSignal;
  readonly silenceMs: number;
}

export class Watchdog {
  readonly #clock: Clock;
  readonly #parent: AbortSignal;
  readonly #abort = new AbortController();
  readonly #onParentAbort = (): void => this.#abort.abort();
  #silenceMs: number;
  #endMs = Number.POSITIVE_INFINITY;
  #lastFedMs: number;
  #timer: Timer | undefined;
  #tripped = false;

  constructor({ clock, parent, silenceMs }: WatchdogOptions) {
    this.#clock = clock;
    this.#parent = parent;
    this.#silenceMs = silenceMs;
    this.#lastFedMs = clock.monotonicMs();
    if (parent.aborted) this.#abort.abort();
    else parent.addEventListener("abort", this.#onParentAbort, { once: true });
    this.#arm(silenceMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True when silence ended the stream, rather than its owner. */
  get tripped(): boolean {
    return this.#tripped;
  }

  /** Called for every event, so it only stores the time; the timer reads it when it fires. */
  feed(): void {
    this.#lastFedMs = this.#clock.monotonicMs();
  }

  /** From now on no pause may be longer than `silenceMs`, and everything has to arrive within `inAllMs`. */
  expectWithin(silenceMs: number, inAllMs: number = Number.POSITIVE_INFINITY): void {
    this.#silenceMs = silenceMs;
    this.#endMs = this.#clock.monotonicMs() + inAllMs;
    this.feed();
    this.#arm(Math.min(silenceMs, inAllMs));
  }

  /** Ends a stream that still works. */
  end(): void {
    this.#abort.abort();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#parent.removeEventListener("abort", this.#onParentAbort);
    this.#abort.abort();
  }

  #arm(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(delayMs, () => this.#check());
  }

  #check(): void {
    const nowMs = this.#clock.monotonicMs();
    const leftMs = Math.min(this.#lastFedMs + this.#silenceMs, this.#endMs) - nowMs;
    if (leftMs > 0) {
      this.#arm(leftMs);
      return;
    }
    this.#tripped = true;
    this.#abort.abort();
  }
}
