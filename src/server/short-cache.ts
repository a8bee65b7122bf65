// Answers that may be used again for a little while. Askers of one question share one call; failures are not kept; memory is bounded.

import type { Clock } from "../ports/clock.ts";

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
  readonly #entries = new Map<string, Entry<T>>();

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
    this.#makeRoom(nowMs);
    const entry = { answer: ask(), untilMs: nowMs + this.#options.ttlMs };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.answer.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.answer;
  }

  /** Entries lie in the order of their age, so that old ones come first. */
  #makeRoom(nowMs: number): void {
    for (const [key, { untilMs }] of this.#entries) {
      if (untilMs > nowMs && this.#entries.size < this.#options.limit) return;
      this.#entries.delete(key);
    }
  }
}
