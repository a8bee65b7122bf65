// The time in a cloud, by the dates of its answers. Ages of what the cloud made are counted with it: our own wall clock may be hours off.

import type { Clock } from "../../ports/clock.ts";

export class CloudClock {
  readonly #clock: Clock;
  #seen: { readonly dateMs: number; readonly atMs: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Of an answer that has just arrived. A header that is missing or no date tells nothing. */
  note({ date = "" }: Readonly<Record<string, string>>): void {
    const dateMs = Date.parse(date);
    if (!Number.isNaN(dateMs)) this.#seen = { dateMs, atMs: this.#clock.monotonicMs() };
  }

  nowMs(): number | undefined {
    return this.#seen === undefined ? undefined : this.#seen.dateMs + this.#clock.monotonicMs() - this.#seen.atMs;
  }
}
