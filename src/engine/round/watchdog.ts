// Ends a stream that has gone silent: a connection can be dead without either side hearing of it.

import type { Clock, Timer } from "../../ports/clock.ts";

export interface WatchdogOptions {
  readonly clock: Clock;
  /** The watch ends with this one, too. */
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

  /** Called for every event, so it only notes the time; the timer looks at it when it fires. */
  feed(): void {
    this.#lastFedMs = this.#clock.monotonicMs();
  }

  /** What is expected has to come without such a silence, and in all within the second time. */
  expectWithin(silenceMs: number, inAllMs: number = Number.POSITIVE_INFINITY): void {
    this.#silenceMs = silenceMs;
    this.#endMs = this.#clock.monotonicMs() + inAllMs;
    this.feed();
    this.#arm(Math.min(silenceMs, inAllMs));
  }

  /** Ends the stream, though it is alive. */
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
