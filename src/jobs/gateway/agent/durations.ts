// How long something took, counted as a histogram of Prometheus has it.

export interface DurationCounts {
  /** How many took at most so long, for each of the bounds. */
  readonly within: readonly number[];
  readonly seconds: number;
  readonly count: number;
}

export class Durations {
  readonly #bounds: readonly number[];
  readonly #within: number[];
  #seconds = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#within = bounds.map(() => 0);
  }

  add(seconds: number): void {
    for (const [place, most] of this.#bounds.entries())
      if (seconds <= most) this.#within[place] = (this.#within[place] ?? 0) + 1;
    this.#seconds += seconds;
    this.#count += 1;
  }

  counts(): DurationCounts {
    return { within: [...this.#within], seconds: this.#seconds, count: this.#count };
  }
}
