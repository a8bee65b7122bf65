// A cache of answers for a short time. Callers with the same key share one call, failures are not kept, memory is bounded, and old
// entries are dropped even when nobody asks again.

import type { Clock, Timer } from "../../ports/clock.ts";

export interface ShortCacheOptions {
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly limit: number;
}

interface Entry<T> {
  readonly answer: Promise<T>;
  readonly untilMs: number;
}

export class ShortCache<T> {
  readonly #options: ShortCacheOptions;
  /** In the order of their age: the oldest comes first. */
  readonly #entries = new Map<string, Entry<T>>();
  #sweep: Timer | undefined;

  constructor(options: ShortCacheOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const nowMs = this.#options.clock.monotonicMs();
    const known = this.#entries.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.answer;
    this.#entries.delete(key);
    this.#dropOldest(this.#options.limit - 1);
    const entry = { answer: ask(), untilMs: nowMs + this.#options.ttlMs };
    this.#entries.set(key, entry);
    this.#sweepLater();
    entry.answer.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.answer;
  }

  #dropOldest(keep: number): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= keep) return;
      this.#entries.delete(key);
    }
  }

  /** One timer for all: at the end of the oldest entry. */
  #sweepLater(): void {
    const [oldest] = this.#entries.values();
    if (this.#sweep !== undefined || oldest === undefined) return;
    const { clock } = this.#options;
    this.#sweep = clock.after(oldest.untilMs - clock.monotonicMs(), () => {
      this.#sweep = undefined;
      const nowMs = clock.monotonicMs();
      for (const [key, { untilMs }] of this.#entries) if (untilMs <= nowMs) this.#entries.delete(key);
      this.#sweepLater();
    });
  }
}
