// A gauge that several controllers count in, each for its keys. It has a sample where somebody counts, if only to nothing, and none where
// nobody does: a zero that nobody counted would be a claim.

import type { Gauge } from "prom-client";

type Labels = Readonly<Record<string, string>>;

export class SharedGauge {
  readonly #gauge: Gauge;
  /** How many count, by labels. */
  readonly #counting = new Map<string, number>();

  constructor(gauge: Gauge) {
    this.#gauge = gauge;
  }

  /** Replaces what one key counted with what it counts now; undefined: it does not count there. */
  replace(labels: Labels, before: number | undefined, now: number | undefined): void {
    const id = JSON.stringify(labels);
    const counting = (this.#counting.get(id) ?? 0) + (now === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
    if (counting === 0) {
      this.#counting.delete(id);
      this.#gauge.remove(labels);
      return;
    }
    this.#counting.set(id, counting);
    this.#gauge.inc(labels, (now ?? 0) - (before ?? 0));
  }
}
