// A real manager in a simulated process: the real engine and the real features over links that meet faults.

import { allGuards } from "../../core/guards.ts";
import type { MetricTable } from "../../core/job/metric.ts";
import type { Feature } from "../../engine/feature.ts";
import { Manager } from "../../engine/manager.ts";
import { createMetrics, type Metrics } from "../../engine/report/metrics.ts";
import { PlanJournal } from "../../engine/report/plan-journal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import type { KubeTransport } from "../../ports/kube-transport.ts";
import type { Log } from "../../ports/log.ts";
import type { Random } from "../../ports/random.ts";
import type { SimEvents } from "../checkers/sim-events.ts";
import { withErrorListener } from "../network/with-error-listener.ts";
import type { Pace } from "../run/pace.ts";
import type { SimProcess } from "./sim-process.ts";

/** The real client over a transport: the simulation may not import drivers, so it is handed in. */
export type KubeOver = (options: {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly log: Log;
}) => Kube;

/** Places where a deliberate bug can be put in, to see whether it is found. */
export interface WorldOverrides {
  readonly clock?: (clock: Clock, process: SimProcess) => Clock;
  readonly transport?: (transport: KubeTransport, process: SimProcess) => KubeTransport;
  readonly kube?: (kube: Kube, process: SimProcess) => Kube;
  readonly leaseKube?: (kube: Kube, process: SimProcess) => Kube;
  readonly features?: (features: readonly Feature[], process: SimProcess, log: Log) => readonly Feature[];
  /** Between the API server and the programs that people look at: the read API and the command line. */
  readonly people?: (kube: Kube) => Kube;
}

export interface StartOptions {
  readonly process: SimProcess;
  readonly transport: KubeTransport;
  readonly kubeOver: KubeOver;
  readonly random: Random;
  readonly log: Log;
  readonly features: readonly Feature[];
  /** That jobs declare. */
  readonly metrics: readonly MetricTable[];
  readonly pace: Pick<Pace, "lease" | "informers">;
  readonly overrides: WorldOverrides;
  readonly events: SimEvents;
}

export interface RunningManager {
  readonly process: SimProcess;
  readonly manager: Manager;
  readonly metrics: Metrics;
  readonly features: readonly Feature[];
  readonly journal: PlanJournal;
}

export const leaseRef = { namespace: "default", name: "mainstay" };

export function startManager(options: StartOptions): RunningManager {
  const { process, kubeOver, random, log, pace, overrides } = options;
  const clock = overrides.clock?.(process.clock, process) ?? process.clock;
  const transport = overrides.transport?.(options.transport, process) ?? options.transport;
  const plainKube = withErrorListener(kubeOver({ transport, clock, log }), (error, method) =>
    options.events.emit("failed", { process, where: `kube ${method}`, error }),
  );
  const leaseKube = overrides.leaseKube?.(plainKube, process) ?? plainKube;
  const metrics = createMetrics(options.metrics);
  const journal = journalOf(options);
  const manager = new Manager({
    kube: overrides.kube?.(plainKube, process) ?? plainKube,
    clock,
    random,
    log,
    metrics,
    journal,
    features: options.features,
    identity: process.identity,
    lease: { ref: leaseRef, timings: pace.lease, kube: leaseKube },
    guardOf: () => allGuards([]),
    informers: { timings: pace.informers },
    drainMs: 5_000,
  });
  manager.start();
  return { process, manager, metrics, features: options.features, journal };
}

function journalOf({ process, events }: StartOptions): PlanJournal {
  const journal = new PlanJournal();
  const where = `the plan log of ${process.name}`;
  journal.subscribe(({ logged }) => {
    for (const line of logged) events.emit("shown", { where, text: JSON.stringify(line) });
  });
  return journal;
}
