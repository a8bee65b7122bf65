// Which objects of a controller have each reason right now, as a gauge: an alert needs what is, and a counter only grows.

import type { GaugeCount } from "../../core/job/metric.ts";
import { factsOf, type Word } from "../../core/reasons.ts";
import { metricDefinitions } from "./metric-definitions.ts";
import type { Metrics } from "./metrics.ts";
import { ObjectGauges } from "./object-gauges.ts";

export class CurrentReasons {
  readonly #controller: string;
  readonly #gauges: ObjectGauges;

  constructor(controller: string, metrics: Pick<Metrics, "gauge" | "objectLimit">) {
    this.#controller = controller;
    this.#gauges = new ObjectGauges(metrics);
  }

  keys(): Iterable<string> {
    return this.#gauges.keys();
  }

  /** The reasons of the key's last round; none of them: the key is well. */
  set(key: string, reasons: Iterable<Word>): void {
    this.#gauges.set(
      key,
      [...new Set(reasons)].map((reason) => this.#count(reason)),
    );
  }

  /** This manager no longer reconciles these keys. */
  clear(): void {
    this.#gauges.clear();
  }

  #count(reason: Word): GaugeCount {
    const { severity } = factsOf(reason);
    const labels = { controller: this.#controller, reason, severity };
    return { metric: metricDefinitions.heldUpKeys.name, labels, count: 1, sick: severity !== "info" };
  }
}
