// The metrics, in a registry of their own, so that two managers in one process (as in the simulation) do not mix. Which metrics
// exist is defined in metric-definitions.ts and in the declarations of the jobs.

import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { MetricDefinition, MetricTable } from "../../core/job/metric.ts";
import { type MetricName, metricDefinitions } from "./metric-definitions.ts";
import { SharedGauge } from "./shared-gauge.ts";

type Definitions = typeof metricDefinitions;
type Labels<N extends MetricName> = Definitions[N]["labels"][number];
type MetricOf<N extends MetricName> = Definitions[N]["type"] extends "counter"
  ? Counter<Labels<N>>
  : Definitions[N]["type"] extends "gauge"
    ? Gauge<Labels<N>>
    : Histogram<Labels<N>>;

/** An object has a dozen or two time series. */
export const defaultObjectLimit = 500;

export type MetricSet = { readonly [N in MetricName]: MetricOf<N> };

export interface Metrics extends MetricSet {
  readonly registry: Registry;
  /** How many objects of a controller have their name in metrics. */
  readonly objectLimit: number;
  /** A gauge of objects, by its name: one that a job declares, or held-up keys; undefined when there is none. */
  gauge(name: string): SharedGauge | undefined;
  /** The Prometheus text format. */
  text(): Promise<string>;
}

/** `declared`: the tables of the jobs. */
export function createMetrics(declared: readonly MetricTable[] = [], objectLimit = defaultObjectLimit): Metrics {
  const registry = new Registry();
  const made = Object.entries(metricDefinitions).map(([name, definition]) => [
    name,
    createMetric(registry, definition),
  ]);
  const set = Object.fromEntries(made) as MetricSet;
  const ofJobs = declared.flatMap((table) => Object.values(table));
  const gauges = new Map<string, SharedGauge>([[metricDefinitions.heldUpKeys.name, new SharedGauge(set.heldUpKeys)]]);
  for (const definition of ofJobs) {
    const metric = createMetric(registry, definition);
    if (metric instanceof Gauge) gauges.set(definition.name, new SharedGauge(metric));
  }
  return { ...set, registry, objectLimit, gauge: (name) => gauges.get(name), text: () => registry.metrics() };
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

/** What the Kubernetes driver reports about each request. */
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
