// The metrics themselves, in a registry of their own: two managers in one process (as in the simulation) do not mix. Which
// metrics exist is said in metric-definitions.ts.

import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { type MetricDefinition, type MetricName, metricDefinitions } from "./metric-definitions.ts";

type Definitions = typeof metricDefinitions;
type Labels<N extends MetricName> = Definitions[N]["labels"][number];
type MetricOf<N extends MetricName> = Definitions[N]["type"] extends "counter"
  ? Counter<Labels<N>>
  : Definitions[N]["type"] extends "gauge"
    ? Gauge<Labels<N>>
    : Histogram<Labels<N>>;

export type MetricSet = { readonly [N in MetricName]: MetricOf<N> };

export interface Metrics extends MetricSet {
  readonly registry: Registry;
  /** The Prometheus text format. */
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const made = Object.entries(metricDefinitions).map(([name, definition]) => [
    name,
    createMetric(registry, definition),
  ]);
  const set = Object.fromEntries(made) as MetricSet;
  return { ...set, registry, text: () => registry.metrics() };
}

function createMetric(
  registry: Registry,
  { name, type, help, labels, buckets }: MetricDefinition,
): Counter | Gauge | Histogram {
  const base = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === "counter") return new Counter(base);
  if (type === "gauge") return new Gauge(base);
  return new Histogram({ ...base, buckets: [...(buckets ?? [])] });
}

/** What the Kubernetes driver tells about each request. */
export interface RequestObservation {
  readonly verb: string;
  readonly resource: string;
  readonly code: string;
  readonly seconds: number;
}

export function recordRequest(metrics: Metrics): (observation: RequestObservation) => void {
  return ({ verb, resource, code, seconds }) => {
    metrics.requests.inc({ verb, kind: resource, code });
    metrics.requestSeconds.observe({ verb, kind: resource }, seconds);
  };
}
