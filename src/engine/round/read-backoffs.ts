// The one rule for what cannot be read because somebody refuses it: a password that is wrong, a list that is forbidden, a part that cannot be
// shown. It is not asked for at every look, but later and later, up to minutes; meanwhile the refusal is said again in its own words. It is asked
// for at once when what it was asked with has changed, such as a Secret, and the first answer ends it. A failure that is no refusal is never
// said in the words of an earlier refusal: the next look asks again.

import type { MonotonicMs } from "../../core/clock-times.ts";

export interface Read {
  /** What is asked for; whoever asks under the same name waits, too. */
  readonly name: string;
  /** Of what it is asked with: a refusal holds for this version alone. */
  readonly version: string;
  readonly monotonicMs: MonotonicMs;
}

/** How long to wait at the longest after such a failure; undefined: it is no refusal, and the next look asks again. */
export type LongestWait = (error: unknown) => number | undefined;

interface Refused {
  readonly version: string;
  readonly error: unknown;
  readonly waitMs: number;
  notBeforeMs: MonotonicMs;
}

/** The first wait is over by the next look. */
const firstWaitMs = 15_000;
/** Nobody asks for it any more. */
const forgetAfterMs = 3_600_000;

export class ReadBackoffs {
  readonly #longestWait: LongestWait;
  readonly #refused = new Map<string, Refused>();

  constructor(longestWait: LongestWait) {
    this.#longestWait = longestWait;
  }

  /** Throws what `ask` throws, or threw when it was asked last. */
  async read<T>({ name, version, monotonicMs }: Read, ask: () => Promise<T>): Promise<T> {
    const known = this.#refused.get(name);
    const before = known?.version === version ? known : undefined;
    if (before !== undefined && monotonicMs < before.notBeforeMs) throw before.error;
    // One asks for all.
    if (before !== undefined) before.notBeforeMs = monotonicMs + before.waitMs;
    try {
      const answer = await ask();
      this.#refused.delete(name);
      return answer;
    } catch (error) {
      this.#note({ name, version, monotonicMs }, error, before);
      throw error;
    }
  }

  /** Everything whose name begins so. */
  forget(prefix: string): void {
    for (const name of this.#refused.keys()) if (name.startsWith(prefix)) this.#refused.delete(name);
  }

  #note({ name, version, monotonicMs }: Read, error: unknown, before: Refused | undefined): void {
    const longestMs = this.#longestWait(error);
    if (longestMs === undefined) {
      if (before !== undefined) before.notBeforeMs = monotonicMs;
      return;
    }
    for (const [other, { notBeforeMs }] of this.#refused)
      if (monotonicMs - notBeforeMs > forgetAfterMs) this.#refused.delete(other);
    const waitMs = before === undefined ? firstWaitMs : Math.min(longestMs, 2 * before.waitMs);
    this.#refused.set(name, { version, error, waitMs, notBeforeMs: monotonicMs + waitMs });
  }
}
