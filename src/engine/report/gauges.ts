// What a controller's keys count outside (balancers by state, members by health), summed over all keys into gauges. Each round
// replaces what the key counted before; a key that is gone counts nothing.

import type { CensusCount } from "../../core/gauge-count.ts";
import type { Metrics } from "./metrics.ts";

export class Census {
  readonly #metrics: Pick<Metrics, CensusCount["metric"]>;
  readonly #byKey = new Map<string, ReadonlyMap<string, CensusCount>>();

  constructor(metrics: Pick<Metrics, CensusCount["metric"]>) {
    this.#metrics = metrics;
  }

  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  set(key: string, counts: readonly CensusCount[]): void {
    const before = this.#byKey.get(key) ?? new Map<string, CensusCount>();
    const now = new Map(counts.map((count) => [JSON.stringify([count.metric, count.labels]), count]));
    for (const [label, count] of now) this.#add(count, count.count - (before.get(label)?.count ?? 0));
    for (const [label, count] of before) if (!now.has(label)) this.#add(count, -count.count);
    if (now.size === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, now);
  }

  /** This manager works on these keys no more. */
  clear(): void {
    for (const key of this.#byKey.keys()) this.set(key, []);
  }

  #add(counted: CensusCount, step: number): void {
    if (step === 0) return;
    if (counted.metric === "loadBalancers") this.#metrics.loadBalancers.inc(counted.labels, step);
    else this.#metrics.loadBalancerMembers.inc(counted.labels, step);
  }
}
