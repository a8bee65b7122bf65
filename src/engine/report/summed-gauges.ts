// The gauges that a job declares (balancers by state, members by health), summed over all keys of a controller. Each round replaces
// the key's earlier counts; a key that is gone counts nothing.

import { invariant } from "../../core/errors.ts";
import type { GaugeCount } from "../../core/job/metric.ts";
import type { Metrics } from "./metrics.ts";

export class SummedGauges {
  readonly #metrics: Pick<Metrics, "gauge">;
  readonly #byKey = new Map<string, ReadonlyMap<string, GaugeCount>>();

  constructor(metrics: Pick<Metrics, "gauge">) {
    this.#metrics = metrics;
  }

  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  set(key: string, counts: readonly GaugeCount[]): void {
    const before = this.#byKey.get(key) ?? new Map<string, GaugeCount>();
    const now = new Map(counts.map((count) => [JSON.stringify([count.metric, count.labels]), count]));
    for (const [label, count] of now) this.#add(count, count.count - (before.get(label)?.count ?? 0));
    for (const [label, count] of before) if (!now.has(label)) this.#add(count, -count.count);
    if (now.size === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, now);
  }

  /** This manager no longer reconciles these keys. */
  clear(): void {
    for (const key of this.#byKey.keys()) this.set(key, []);
  }

  #add({ metric, labels }: GaugeCount, step: number): void {
    if (step === 0) return;
    const gauge = this.#metrics.gauge(metric);
    invariant(gauge, `gauge ${metric} is declared by a job`);
    gauge.inc(labels, step);
  }
}
