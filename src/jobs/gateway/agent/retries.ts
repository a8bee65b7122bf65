// Something that has to be done, again and again if need be: the first time at once, then later and later for as long as it keeps being
// needed, whether it failed or somebody undid it. It is told at the first time, and once more when it does not stop.

import { type BackoffRange, backoffMs } from "../../../engine/round/backoff.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import type { Random } from "../../../ports/random.ts";

export interface RetriesOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly range?: BackoffRange;
  /** Does not reject. False: it has to be tried again. */
  readonly attempt: () => Promise<boolean>;
  readonly tell: (news: { readonly cause: string; readonly isLasting: boolean }) => void;
}

/** So long without a need, and the next one is the first again. */
export const quietMs = 10 * 60_000;
const lastingAfter = 4;

export class Retries {
  readonly #options: RetriesOptions;
  #needs = 0;
  #lastNeedMs = 0;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: RetriesOptions) {
    this.#options = options;
  }

  /** How long until it is tried; undefined when a try was under way to begin with, or after `stop`. */
  need(cause: string): number | undefined {
    if (this.#timer !== undefined || this.#isStopped) return undefined;
    const { clock, random, range = { baseMs: 1_000, maxMs: 60_000 } } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#lastNeedMs > quietMs) this.#needs = 0;
    this.#lastNeedMs = nowMs;
    this.#needs += 1;
    if (this.#needs === 1 || this.#needs === lastingAfter) {
      this.#options.tell({ cause, isLasting: this.#needs === lastingAfter });
    }
    const delayMs = this.#needs === 1 ? 0 : backoffMs(range, this.#needs - 1, random);
    this.#timer = clock.after(delayMs, () => void this.#try(cause));
    return delayMs;
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  async #try(cause: string): Promise<void> {
    this.#timer = undefined;
    if (!(await this.#options.attempt())) this.need(cause);
  }
}
