// Since when the manager behind this server does not see everything it needs: from then on all that is shown is old.

import type { Clock } from "../ports/clock.ts";
import type { Insight } from "../ports/insight.ts";

export class UnreadySince {
  readonly #insight: Insight;
  readonly #clock: Clock;
  readonly #unsubscribe: () => void;
  #everSaw = false;
  #sinceMs: number | undefined;

  constructor(insight: Insight, clock: Clock) {
    this.#insight = insight;
    this.#clock = clock;
    this.#unsubscribe = insight.subscribe(({ type }) => {
      if (type === "manager" || type === "all") this.sinceMs();
    });
  }

  /** Undefined while everything is seen, and when it never was. */
  sinceMs(): number | undefined {
    const { ready } = this.#insight.manager();
    if (ready) this.#sinceMs = undefined;
    else if (this.#everSaw) this.#sinceMs ??= this.#clock.nowMs();
    this.#everSaw ||= ready;
    return this.#sinceMs;
  }

  close(): void {
    this.#unsubscribe();
  }
}
