// Since when the manager behind this server does not see everything it needs: from then on all that is shown is old.

import type { Clock } from "../ports/clock.ts";
import type { Insight } from "../ports/insight.ts";

export class Sight {
  readonly #insight: Insight;
  readonly #clock: Clock;
  readonly #unsubscribe: () => void;
  #everSaw = false;
  #lostAtMs: number | undefined;

  constructor(insight: Insight, clock: Clock) {
    this.#insight = insight;
    this.#clock = clock;
    this.#unsubscribe = insight.subscribe(({ type }) => {
      if (type === "manager" || type === "all") this.lostAtMs();
    });
  }

  /** Undefined while everything is seen, and when it never was. */
  lostAtMs(): number | undefined {
    const { ready } = this.#insight.manager();
    if (ready) this.#lostAtMs = undefined;
    else if (this.#everSaw) this.#lostAtMs ??= this.#clock.nowMs();
    this.#everSaw ||= ready;
    return this.#lostAtMs;
  }

  close(): void {
    this.#unsubscribe();
  }
}
