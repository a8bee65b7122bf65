// A manager for tests, started: it knows the metrics of every job, has no guards, remembers its log and counts what it writes.

import { resourceName } from "../../src/apis/kube/kube-object.ts";
import { allGuards } from "../../src/core/guards.ts";
import { Manager, type ManagerOptions } from "../../src/engine/manager.ts";
import { createMetrics, type Metrics } from "../../src/engine/report/metrics.ts";
import { allJobs } from "../../src/jobs/all.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { type QuietLog, quietLog } from "./quiet-log.ts";

export interface TestManager {
  readonly manager: Manager;
  readonly metrics: Metrics;
  readonly log: QuietLog;
  /** Writes it sent, such as `create configmaps`. */
  readonly writes: string[];
}

type Needed = "kube" | "clock" | "random" | "features" | "identity";
export type TestManagerOptions = Pick<ManagerOptions, Needed> & Partial<ManagerOptions>;

export function startTestManager({ kube, ...options }: TestManagerOptions): TestManager {
  const metrics = createMetrics(allJobs.map((job) => job.metrics));
  const log = quietLog();
  const writes: string[] = [];
  const manager = new Manager({
    kube: recordingWrites(kube, writes),
    log,
    metrics,
    guardOf: () => allGuards([]),
    ...options,
  });
  manager.start();
  return { manager, metrics, log, writes };
}

function recordingWrites(kube: Kube, writes: string[]): Kube {
  const record = (what: string): void => void writes.push(what);
  return {
    ...kube,
    create: (kind, object, options) => (record(`create ${resourceName(kind)}`), kube.create(kind, object, options)),
    apply: (kind, object, options) => (record(`apply ${resourceName(kind)}`), kube.apply(kind, object, options)),
    patch: (kind, ref, patch, options) => (
      record(`patch ${resourceName(kind)}`), kube.patch(kind, ref, patch, options)
    ),
    delete: (kind, ref, options) => (record(`delete ${resourceName(kind)}`), kube.delete(kind, ref, options)),
  };
}
