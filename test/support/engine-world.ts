// A fake API server, a cloud and managers in virtual time, with a count of every write that reaches the server.

import { customResourceDefinitions, events } from "../../src/apis/kube/builtin-kinds.ts";
import { type KubeObject, resourceName } from "../../src/apis/kube/kube-object.ts";
import { allGuards } from "../../src/core/guards.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { Manager, type ManagerOptions } from "../../src/engine/manager.ts";
import { createMetrics, type Metrics } from "../../src/engine/report/metrics.ts";
import { allJobs } from "../../src/jobs/all.ts";
import type { Kube } from "../../src/ports/kube.ts";
import {
  adminToken,
  createFakeKubeApi,
  type FakeKubeApi,
  type FakeKubeApiOptions,
} from "../../src/sim/fakes/kube/api-server.ts";
import { type Specimen, specimenCrd, specimens } from "../../src/sim/specimen/specimen-kind.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { type QuietLog, quietLog } from "./quiet-log.ts";
import { VirtualClock } from "./virtual-clock.ts";
import { Yard, yardFeature } from "./yard.ts";

export interface TestManager {
  readonly manager: Manager;
  readonly metrics: Metrics;
  readonly log: QuietLog;
  /** Writes it sent, such as `create configmaps`. */
  readonly writes: string[];
}

export interface TestManagerOptions extends Partial<Omit<ManagerOptions, "kube">> {
  /** Between the manager and the server. */
  readonly through?: (kube: Kube) => Kube;
}

export class EngineWorld {
  readonly clock = new VirtualClock();
  readonly api: FakeKubeApi;
  readonly kube: Kube;
  readonly yard = new Yard(this.clock);
  #managers = 0;

  constructor(server: Pick<FakeKubeApiOptions, "callWebhook"> = {}) {
    this.api = createFakeKubeApi({ clock: this.clock, random: seededRandom(11), ...server });
    this.kube = kubeClient({ transport: this.api.transport(adminToken), clock: this.clock });
  }

  async define(crd: KubeObject = specimenCrd): Promise<void> {
    await this.kube.create(customResourceDefinitions, crd);
    await this.clock.advance(100);
  }

  manager({ through = (kube) => kube, ...options }: TestManagerOptions = {}): TestManager {
    this.#managers += 1;
    const metrics = createMetrics(allJobs.map((job) => job.metrics));
    const log = quietLog();
    const writes: string[] = [];
    const manager = new Manager({
      kube: through(noting(this.kube, writes)),
      clock: this.clock,
      random: seededRandom(this.#managers),
      log,
      metrics,
      features: [yardFeature(this.yard)],
      identity: `manager-${this.#managers}`,
      guardOf: () => allGuards([]),
      ...options,
    });
    manager.start();
    return { manager, metrics, log, writes };
  }

  async make(name: string, spec: Specimen["spec"]): Promise<Specimen> {
    return await this.kube.create<Specimen>(specimens, {
      apiVersion: "sim.mainstay.dev/v1",
      kind: "Specimen",
      metadata: { name, namespace: "default" },
      spec,
    });
  }

  async specimen(name: string): Promise<Specimen> {
    return await this.kube.get(specimens, { name, namespace: "default" });
  }

  async change(name: string, spec: Partial<Specimen["spec"]>): Promise<void> {
    await this.kube.patch(specimens, { name, namespace: "default" }, { type: "merge", body: { spec } });
  }

  async eventReasons(): Promise<readonly string[]> {
    const { items } = await this.kube.list<KubeObject & { readonly reason?: string }>(events, {});
    return items.map(({ reason = "" }) => reason);
  }
}

function noting(kube: Kube, writes: string[]): Kube {
  const note = (what: string): void => void writes.push(what);
  return {
    ...kube,
    create: (kind, object, options) => (note(`create ${resourceName(kind)}`), kube.create(kind, object, options)),
    apply: (kind, object, options) => (note(`apply ${resourceName(kind)}`), kube.apply(kind, object, options)),
    patch: (kind, ref, patch, options) => (note(`patch ${resourceName(kind)}`), kube.patch(kind, ref, patch, options)),
    delete: (kind, ref, options) => (note(`delete ${resourceName(kind)}`), kube.delete(kind, ref, options)),
  };
}
