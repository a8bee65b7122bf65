// A metric as data: name, type, help and labels. The reference page is generated from such tables, and nothing else makes metrics. Label
// values come from closed sets (controllers, kinds, verbs, codes, reasons, a cloud's zones). Names of objects stand only in `object`, which
// the engine fills in, for so many objects and no more (engine/report/named-keys.ts).

export interface MetricDefinition {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
}

export type MetricTable = Readonly<Record<string, MetricDefinition>>;

const durations = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function counter<const L extends readonly string[]>(name: string, help: string, labels: L) {
  return { name, type: "counter", help, labels } as const;
}

export function gauge<const L extends readonly string[]>(name: string, help: string, labels: L) {
  return { name, type: "gauge", help, labels } as const;
}

/** A gauge of what objects have. The engine says which object: a job's counts leave `object` out. */
export function objectGauge<const L extends readonly string[]>(name: string, help: string, labels: L) {
  return gauge(name, help, ["object", ...labels] as const);
}

export function histogram<const L extends readonly string[]>(name: string, help: string, labels: L) {
  return { name, type: "histogram", help, labels, buckets: durations } as const;
}

/** How many things of a sort a key has outside, for a gauge of its job. */
export interface GaugeCount {
  /** The gauge's name, such as `mainstay_load_balancers`. */
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly count: number;
  /** If there are any, the object should be named, however many objects there are. */
  readonly sick?: boolean;
}
