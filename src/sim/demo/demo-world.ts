// Everything the demonstration consists of, without sockets and without a clock of its own: a cluster's API, a cloud, two managers,
// a part of each job, and the faults. Whoever makes it brings the real outside or a virtual one.

import { readConfiguration } from "../../cli/configuration/configuration.ts";
import { enabledFeatures } from "../../cli/configuration/enabled-features.ts";
import { publishConfiguration } from "../../cli/configuration/published-configuration.ts";
import type { Product } from "../../cli/product.ts";
import { allGuards } from "../../core/guards.ts";
import { createMetrics } from "../../engine/report/metrics.ts";
import { silentLog } from "../../engine/report/silent-log.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import type { KubeTransport } from "../../ports/kube-transport.ts";
import type { Random } from "../../ports/random.ts";
import { webhookAnswers } from "../../server/webhooks/webhook-server.ts";
import { inProcessWebhooks } from "../fakes/kube/admission/in-process-webhooks.ts";
import { adminToken, createFakeKubeApi, type FakeKubeApi } from "../fakes/kube/api-server.ts";
import { ApiFaults } from "./api-faults.ts";
import { createDemoCloud, type DemoCloud } from "./demo-cloud.ts";
import { DemoManagers } from "./demo-managers.ts";
import type { DemoPart, DemoPartOf } from "./demo-part.ts";
import { FaultRegistry } from "./fault-registry.ts";
import { furnish } from "./furnish.ts";

export interface DemoWorldOptions {
  readonly product: Product;
  /** Of each job that has one. */
  readonly parts: readonly DemoPartOf[];
  readonly clock: Clock;
  readonly random: Random;
  readonly kubeOver: (transport: KubeTransport) => Kube;
  /** Where the cloud's Keystone answers people. */
  readonly authUrl?: string;
}

export interface DemoWorld {
  readonly api: FakeKubeApi;
  readonly cloud: DemoCloud;
  /** Past all faults: for the demonstration itself. */
  readonly kube: Kube;
  readonly managers: DemoManagers;
  readonly apiFaults: ApiFaults;
  readonly faults: FaultRegistry;
  readonly parts: readonly DemoPart[];
  /** Of the managers, as a file. */
  readonly configuration: string;
  /** Brings what the cluster holds at first, and lets everybody begin. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createDemoWorld(options: DemoWorldOptions): DemoWorld {
  const { clock, random, kubeOver, authUrl, product } = options;
  const api = createFakeKubeApi({ clock, random, callWebhook: inProcessWebhooks(webhookAnswers(product.jobs)) });
  const cloud = createDemoCloud({ clock, random, ...(authUrl === undefined ? {} : { authUrl }) });
  const apiFaults = new ApiFaults(clock, random);
  const kube = kubeOver(api.transport(adminToken));
  const parts = options.parts.map((partOf) => partOf({ clock, random, kube, cloud }));
  const configuration = parts.map((part) => part.configuration).join("");
  const { configuration: decided } = readConfiguration({ text: configuration, jobs: product.jobs });
  const managers = new DemoManagers({
    clock,
    random,
    log: silentLog,
    metrics: () => createMetrics(product.jobs.map((job) => job.metrics)),
    transport: apiFaults.through(api.transport(adminToken)),
    kubeOver,
    features: () => enabledFeatures(decided, product.features, { openStack: cloud.fake }),
    guard: allGuards([]),
    annotations: publishConfiguration(decided),
  });
  const faults = new FaultRegistry(
    [...parts.flatMap((part) => part.faults), managers.killLeader(), ...apiFaults.definitions()],
    clock,
  );
  return {
    api,
    cloud,
    kube,
    managers,
    apiFaults,
    faults,
    parts,
    configuration,
    start: async () => {
      await furnish(kube, clock, { jobs: product.jobs, parts });
      managers.start();
      for (const part of parts) part.start();
    },
    stop: async () => {
      faults.stopAll();
      for (const part of parts) await part.stop();
      await managers.stop();
      cloud.fake.close();
      api.close();
    },
  };
}
