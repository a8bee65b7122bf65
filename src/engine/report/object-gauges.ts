// Gauges of a controller's objects (balancers by state, members by health, reasons), with the object as a label. Each round replaces
// the object's earlier counts; one that is gone has no samples. Only so many objects have a name, the sick first; the others are summed
// (named-keys.ts).

import { invariant } from "../../core/errors.ts";
import type { GaugeCount } from "../../core/job/metric.ts";
import type { Metrics } from "./metrics.ts";
import { NamedKeys } from "./named-keys.ts";

/** What a key counts, and the label under which that was written. */
interface Written {
  readonly object: string;
  readonly counts: ReadonlyMap<string, GaugeCount>;
}

const nothing: ReadonlyMap<string, GaugeCount> = new Map();

export class ObjectGauges {
  readonly #metrics: Pick<Metrics, "gauge">;
  readonly #names: NamedKeys;
  readonly #byKey = new Map<string, Written>();

  constructor(metrics: Pick<Metrics, "gauge" | "objectLimit">) {
    this.#metrics = metrics;
    this.#names = new NamedKeys(metrics.objectLimit);
  }

  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  set(key: string, counts: readonly GaugeCount[]): void {
    const now = new Map(counts.map((count) => [JSON.stringify([count.metric, count.labels]), count]));
    const isSick = counts.some(({ sick = false, count }) => sick && count > 0);
    const renamed = now.size === 0 ? this.#names.delete(key) : this.#names.set(key, isSick ? "sick" : "well");
    this.#write(key, now);
    for (const other of renamed) this.#write(other, this.#byKey.get(other)?.counts ?? nothing);
  }

  /** This manager no longer reconciles these keys. */
  clear(): void {
    for (const key of this.#byKey.keys()) this.set(key, []);
  }

  #write(key: string, now: Written["counts"]): void {
    const object = this.#names.labelOf(key);
    const before = this.#byKey.get(key) ?? { object, counts: nothing };
    const isRenamed = before.object !== object;
    for (const [id, count] of before.counts)
      if (isRenamed || !now.has(id)) this.#replace(count, before.object, count.count, undefined);
    for (const [id, count] of now)
      this.#replace(count, object, isRenamed ? undefined : before.counts.get(id)?.count, count.count);
    if (now.size === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, { object, counts: now });
  }

  #replace({ metric, labels }: GaugeCount, object: string, before: number | undefined, now: number | undefined): void {
    const gauge = this.#metrics.gauge(metric);
    invariant(gauge, `gauge ${metric} is declared by a job`);
    gauge.replace({ object, ...labels }, before, now);
  }
}
