// Everything the demonstration consists of, without sockets and without a clock of its own: a cluster's API, a cloud, two managers, the
// player of Cluster API, and the faults. Whoever makes it brings the real outside or a virtual one.

import { readConfiguration } from "../../cli/configuration/configuration.ts";
import { allGuards } from "../../core/guards.ts";
import { createMetrics } from "../../engine/report/metrics.ts";
import { silentLog } from "../../engine/report/silent-log.ts";
import { controllerNames, enabledFeatures } from "../../jobs/features.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import type { KubeTransport } from "../../ports/kube-transport.ts";
import type { Random } from "../../ports/random.ts";
import { webhookAnswers } from "../../server/webhook-server.ts";
import { inProcessWebhooks } from "../fakes/kube/admission/in-process-webhooks.ts";
import { adminToken, createFakeKubeApi, type FakeKubeApi } from "../fakes/kube/api-server.ts";
import { ApiFaults } from "./api-faults.ts";
import { cloudFaultDefinitions } from "./cloud-fault-definitions.ts";
import { ClusterApiPlayer } from "./cluster-api-player.ts";
import { createDemoCloud, type DemoCloud } from "./demo-cloud.ts";
import { DemoManagers } from "./demo-managers.ts";
import { FaultRegistry } from "./fault-registry.ts";
import { furnish } from "./furnish.ts";
import { demoCrds, furnishBlue } from "./furnish-blue.ts";

export interface DemoWorldOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly kubeOver: (transport: KubeTransport) => Kube;
  /** Where the cloud's Keystone answers people. */
  readonly authUrl?: string;
}

export interface DemoWorld {
  readonly api: FakeKubeApi;
  readonly cloud: DemoCloud;
  /** Past all faults: the demonstration's own hands. */
  readonly kube: Kube;
  readonly managers: DemoManagers;
  readonly apiFaults: ApiFaults;
  readonly faults: FaultRegistry;
  /** Brings what the cluster holds at first, and lets everybody begin. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Everything that can be shown is on; there is no ClusterVersion to wait for, and what happens in the cloud is seen soon. */
export const demoConfiguration = `featureGates: {MutableTopology: true}
topology: {upgradeGate: none}
apiEndpoint: {relookSeconds: 2}
`;

export function createDemoWorld({ clock, random, kubeOver, authUrl }: DemoWorldOptions): DemoWorld {
  const { configuration } = readConfiguration({ text: demoConfiguration, controllers: controllerNames });
  const api = createFakeKubeApi({ clock, random, callWebhook: inProcessWebhooks(webhookAnswers) });
  const cloud = createDemoCloud({ clock, random, ...(authUrl === undefined ? {} : { authUrl }) });
  const apiFaults = new ApiFaults(clock, random);
  const kube = kubeOver(api.transport(adminToken));
  const managers = new DemoManagers({
    clock,
    random,
    log: silentLog,
    metrics: createMetrics,
    transport: apiFaults.through(api.transport(adminToken)),
    kubeOver,
    features: () => enabledFeatures(configuration, { openStack: cloud.fake }),
    guard: allGuards([]),
  });
  const player = new ClusterApiPlayer({ kube, clock, servers: cloud.servers });
  const faults = new FaultRegistry(
    [...cloudFaultDefinitions(cloud.fake, random), managers.killLeader(), ...apiFaults.definitions()],
    clock,
  );
  return {
    api,
    cloud,
    kube,
    managers,
    apiFaults,
    faults,
    start: async () => {
      await furnish(kube, clock, demoCrds);
      await furnishBlue(kube, cloud.cloudsYaml);
      managers.start();
      player.start();
    },
    stop: async () => {
      faults.stopAll();
      await player.stop();
      await managers.stop();
      cloud.fake.close();
      api.close();
    },
  };
}
