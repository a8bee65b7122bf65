// Since when the manager behind this server is not ready, that is, cannot observe all it needs: what is shown may be that old.

import type { Clock } from "../../ports/clock.ts";
import type { Insight } from "../../ports/insight.ts";

export class UnreadySince {
  readonly #insight: Insight;
  readonly #clock: Clock;
  readonly #unsubscribe: () => void;
  #wasReady = false;
  #sinceMs: number | undefined;

  constructor(insight: Insight, clock: Clock) {
    this.#insight = insight;
    this.#clock = clock;
    this.#unsubscribe = insight.subscribe(({ type }) => {
      if (type === "manager" || type === "all") this.sinceMs();
    });
  }

  /** Undefined while it is ready, and when it never was. */
  sinceMs(): number | undefined {
    const { ready } = this.#insight.manager();
    if (ready) this.#sinceMs = undefined;
    else if (this.#wasReady) this.#sinceMs ??= this.#clock.nowMs();
    this.#wasReady ||= ready;
    return this.#sinceMs;
  }

  close(): void {
    this.#unsubscribe();
  }
}
