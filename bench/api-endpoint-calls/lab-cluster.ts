// One cluster of three zones on the lab's real OpenStack, in a project of its own, with a manager whose calls are counted. Its Kubernetes
// objects are in the fake API server: only calls to the cloud are measured.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { clusters, machines, openStackMachines } from "../../src/apis/cluster-api/cluster-api-kinds.ts";
import { customResourceDefinitions, namespaces, secrets } from "../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../src/apis/kube/kube-object.ts";
import { allGuards } from "../../src/core/guards.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import type { CallObservation } from "../../src/drivers/openstack/call-meter.ts";
import { openStackClient } from "../../src/drivers/openstack/openstack-client.ts";
import { undiciTransport } from "../../src/drivers/openstack/undici-transport.ts";
import { systemClock as clock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom as random } from "../../src/drivers/system/system-random.ts";
import { Manager } from "../../src/engine/manager.ts";
import { createMetrics } from "../../src/engine/report/metrics.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { openStackClusters } from "../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { openStackClusterCrd } from "../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-crd.ts";
import { openStackClusterFeature } from "../../src/jobs/api-endpoint/controller/front-doors.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { adminToken, createFakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { openCrd } from "../../src/sim/fakes/kube/open-crd.ts";
import { openProject } from "../../test/lab/openstack/own-project.ts";
import { quietLog } from "../../test/support/quiet-log.ts";

export const zones = ["az1", "az2", "az3"] as const;
export const additionalPorts = [8132, 9345];
const namespace = "bench";
const name = "counted";

export interface LabCluster {
  /** Every call so far, oldest first. */
  readonly calls: readonly CallObservation[];
  /** Changes something that does not matter to the manager, so that its next observation has to read more. */
  disturb(): Promise<void>;
  /** Another manager takes over, with empty memory. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export type OpenStackServices = Parameters<typeof openProject>[0];

/** Undefined when the lab was never started. */
export function findOpenStack(): OpenStackServices | undefined {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const runDir = process.env["MAINSTAY_LAB_OPENSTACK"] || join(cache, "mainstay", "openstack", "run");
  const settings = new Map<string, string>();
  try {
    for (const line of readFileSync(join(runDir, "settings"), "utf8").split("\n")) {
      const [key = "", value = ""] = line.split("=", 2);
      settings.set(key, value);
    }
  } catch {
    return undefined;
  }
  return {
    available: true,
    provider: "amphora",
    cloudsYaml: join(runDir, "clouds.yaml"),
    keystone: settings.get("KEYSTONE_URL") ?? "",
    neutron: settings.get("NEUTRON_URL") ?? "",
    octavia: settings.get("OCTAVIA_URL") ?? "",
    runDir,
    membersDown: join(runDir, "members-down"),
    faultsSocket: join(runDir, "faults.sock"),
  };
}

export async function openLabCluster(lab: OpenStackServices, crossZone: boolean): Promise<LabCluster> {
  const project = await openProject(lab);
  const api = createFakeKubeApi({ clock, random });
  const kube = kubeClient({ transport: api.transport(adminToken), clock });
  const calls: CallObservation[] = [];
  const transport = undiciTransport({ environment: {} });
  const meter = { onCall: (call: CallObservation) => void calls.push(call) };
  const openStack = openStackClient({ transport, clock, random, userAgent: "mainstay-bench", meter });
  const parts = {
    kube,
    clock,
    random,
    log: quietLog(),
    metrics: createMetrics(allJobs.map((job) => job.metrics)),
    guardOf: () => allGuards([]),
  };
  const begin = (identity: string) => {
    const features = [openStackClusterFeature({ openStack, claims: "annotated", observeAgainMs: 3_000 })];
    const manager = new Manager({ ...parts, features, identity });
    manager.start();
    return manager;
  };
  await furnish(kube, project.cloudsYaml);
  let manager = begin("bench");
  const close = async () => {
    await manager.stop();
    await transport.close();
    api.close();
    await project.remove();
  };
  try {
    await raise(kube, project, crossZone);
    await untilHealthy(kube, crossZone ? 9 : 3);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    calls,
    async disturb() {
      const [first] = await project.balancers();
      const body = { loadbalancer: { admin_state_up: true } };
      await project.rest("octavia", "PUT", `/loadbalancers/${first?.id}`, body);
    },
    async restart() {
      await manager.stop();
      manager = begin("bench-again");
    },
    close,
  };
}

async function furnish(kube: Kube, cloudsYaml: string): Promise<void> {
  for (const crd of [openStackClusterCrd(), ...[clusters, machines, openStackMachines].map((kind) => openCrd(kind))])
    await kube.create(customResourceDefinitions, crd);
  await sleep(500);
  await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const data = { "clouds.yaml": Buffer.from(cloudsYaml).toString("base64") };
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "cloud", namespace }, data };
  await kube.create<KubeObject>(secrets, secret);
}

async function raise(kube: Kube, project: Awaited<ReturnType<typeof openProject>>, crossZone: boolean): Promise<void> {
  const { networkId, subnetIds } = project;
  const put = async (kind: Kind, called: string, more: object) =>
    await kube.create<KubeObject>(kind, {
      apiVersion: `${kind.group}/${kind.version}`,
      kind: kind.kind,
      ...more,
      metadata: { name: called, namespace, ...("metadata" in more ? (more.metadata as object) : {}) },
    });
  const { metadata } = await put(clusters, name, { spec: { infrastructureRef: { kind: "OpenStackCluster", name } } });
  const owner = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name, uid: metadata.uid ?? "" };
  await put(openStackClusters, name, {
    metadata: { annotations: { "cluster.x-k8s.io/managed-by": "mainstay" }, ownerReferences: [owner] },
    spec: {
      identityRef: { name: "cloud", cloudName: "openstack" },
      network: { id: networkId },
      controlPlaneEndpoint: { host: "api.counted.example.com", port: 6443 },
      apiServerLoadBalancer: {
        network: { id: networkId },
        availabilityZoneSubnets: zones.map((zone, i) => ({ availabilityZone: zone, subnet: { id: subnetIds[i] } })),
        allowCrossAZLoadBalancerMembers: crossZone,
        additionalPorts,
      },
    },
  });
  const labels = { "cluster.x-k8s.io/cluster-name": name, "cluster.x-k8s.io/control-plane": "" };
  for (const [i, failureDomain] of zones.entries()) {
    const addresses = [{ type: "InternalIP", address: project.address((i + 1) as 1 | 2 | 3) }];
    const infrastructureRef = { kind: "OpenStackMachine", name: failureDomain };
    await put(openStackMachines, failureDomain, { metadata: { labels }, status: { addresses } });
    await put(machines, failureDomain, {
      metadata: { labels },
      spec: { clusterName: name, failureDomain, infrastructureRef },
    });
  }
}

async function untilHealthy(kube: Kube, wanted: number): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { status } = await kube.get(openStackClusters, { name, namespace });
    const counts = status?.apiServerLoadBalancers?.map(({ members }) => members?.healthy ?? 0) ?? [];
    if (counts.reduce((sum, one) => sum + one, 0) === wanted) return;
    await sleep(1_000);
  }
  throw new Error("the cluster's members never became healthy");
}
