// A real manager in a simulated process: the real engine and the real features over links that meet faults.

import { allGuards } from "../core/guards.ts";
import type { Feature } from "../engine/feature.ts";
import { defaultInformerTimings } from "../engine/informer-timings.ts";
import type { LeaseTimings } from "../engine/lease-timings.ts";
import { Manager } from "../engine/manager.ts";
import { createMetrics, type Metrics } from "../engine/metrics.ts";
import type { Clock } from "../ports/clock.ts";
import type { Kube } from "../ports/kube.ts";
import type { KubeTransport } from "../ports/kube-transport.ts";
import type { Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import type { SimProcess } from "./sim-process.ts";

/** The real client over a transport: the simulation may not import drivers, so it is handed in. */
export type KubeOver = (options: {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly log: Log;
}) => Kube;

/** Places where a deliberate bug can be put in, to see whether it is found. */
export interface WorldSeams {
  readonly clock?: (clock: Clock, process: SimProcess) => Clock;
  readonly transport?: (transport: KubeTransport, process: SimProcess) => KubeTransport;
  readonly kube?: (kube: Kube, process: SimProcess) => Kube;
  readonly leaseKube?: (kube: Kube, process: SimProcess) => Kube;
  readonly features?: (features: readonly Feature[], process: SimProcess, log: Log) => readonly Feature[];
}

export interface StartOptions {
  readonly process: SimProcess;
  readonly transport: KubeTransport;
  readonly kubeOver: KubeOver;
  readonly random: Random;
  readonly log: Log;
  readonly features: readonly Feature[];
  readonly timings: LeaseTimings;
  readonly seams: WorldSeams;
}

export interface RunningManager {
  readonly process: SimProcess;
  readonly manager: Manager;
  readonly metrics: Metrics;
}

export const leaseRef = { namespace: "default", name: "mainstay" };

/** Shorter than in a real cluster, in the same proportions: worlds live for minutes. */
const informerTimings = {
  ...defaultInformerTimings,
  watchSilenceMs: 15_000,
  listSilenceMs: 8_000,
  listDeadlineMs: 40_000,
  callDeadlineMs: 8_000,
  backoff: { baseMs: 100, maxMs: 8_000 },
  watchLifetimeMs: 60_000,
};

export function startManager(options: StartOptions): RunningManager {
  const { process, kubeOver, random, log, timings, seams } = options;
  const clock = seams.clock?.(process.clock, process) ?? process.clock;
  const transport = seams.transport?.(options.transport, process) ?? options.transport;
  const plainKube = kubeOver({ transport, clock, log });
  const leaseKube = seams.leaseKube?.(plainKube, process) ?? plainKube;
  const metrics = createMetrics();
  const manager = new Manager({
    kube: seams.kube?.(plainKube, process) ?? plainKube,
    clock,
    random,
    log,
    metrics,
    features: options.features,
    identity: process.identity,
    lease: { ref: leaseRef, timings, kube: leaseKube },
    guardOf: () => allGuards([]),
    informers: { timings: informerTimings },
    drainMs: 5_000,
  });
  manager.start();
  return { process, manager, metrics };
}
