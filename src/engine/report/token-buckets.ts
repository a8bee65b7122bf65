// One token bucket per name, in bounded memory: the bucket that was asked longest ago is forgotten first (and starts full again).

import type { Clock } from "../../ports/clock.ts";

export interface TokenBucketOptions {
  readonly clock: Clock;
  readonly burst: number;
  /** One token comes back in this time. */
  readonly refillMs: number;
  readonly maxBuckets: number;
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

export class TokenBuckets {
  readonly #options: TokenBucketOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: TokenBucketOptions) {
    this.#options = options;
  }

  /** False when the bucket of this name is empty. */
  take(name: string): boolean {
    const { clock, burst, refillMs, maxBuckets } = this.#options;
    const nowMs = clock.monotonicMs();
    const known = this.#buckets.get(name) ?? { tokens: burst, atMs: nowMs };
    const tokens = Math.min(burst, known.tokens + (nowMs - known.atMs) / refillMs);
    const granted = tokens >= 1;
    this.#buckets.delete(name);
    this.#buckets.set(name, { tokens: granted ? tokens - 1 : tokens, atMs: nowMs });
    const oldest = this.#buckets.keys().next();
    if (this.#buckets.size > maxBuckets && oldest.done !== true) this.#buckets.delete(oldest.value);
    return granted;
  }
}
