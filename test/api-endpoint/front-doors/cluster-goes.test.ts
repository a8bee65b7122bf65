// An APIEndpoint goes with its Cluster, whichever of the two is deleted first, and early enough for a CAPO that deletes the cluster's own
// networks: Neutron deletes no network while a balancer's port is in it. Who wants to keep it says so.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import { outlivesClusterAnnotation } from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNames, countsByKind, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const ref = { name: "blue", namespace };
const nothing = { loadbalancers: 0, listeners: 0, pools: 0, members: 0, healthmonitors: 0, floatingips: 0 };
const clusterFinalizer = "cluster.cluster.x-k8s.io";
const capoFinalizer = "openstackcluster.infrastructure.cluster.x-k8s.io";
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});
afterEach(() => running.manager.stop());

async function begin(annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  await world.cluster("blue", { spec: { apiServerLoadBalancer: { enabled: false } } });
  await world.patch("blue", {
    metadata: { annotations: { "cluster.x-k8s.io/managed-by": null }, finalizers: [capoFinalizer] },
  });
  await world.kube.patch(clusters, ref, { type: "merge", body: { metadata: { finalizers: [clusterFinalizer] } } });
  await world.kube.create(apiEndpoints, world.apiEndpoint("blue", {}, annotations));
  await world.machine("blue", "az1");
  await world.clock.advance(180_000);
}

async function find(kind: Kind): Promise<KubeObject | undefined> {
  try {
    return await world.kube.get(kind, ref);
  } catch (error) {
    if (isKubeError(error, "NotFound")) return undefined;
    throw error;
  }
}

/** As Cluster API and CAPO go about a Cluster that is being deleted, one look at a time: each waits for what it needs to be gone. */
async function othersLook(): Promise<void> {
  const isGoing = (object: KubeObject | undefined) => object?.metadata.deletionTimestamp !== undefined;
  const release = (kind: Kind) =>
    world.kube.patch(kind, ref, { type: "merge", body: { metadata: { finalizers: null } } });
  const infrastructure = await find(openStackClusters);
  // The cluster's own network: no port may be in it.
  if (isGoing(infrastructure) && balancerNames(world).length === 0) await release(openStackClusters);
  if (!isGoing(await find(clusters))) return;
  if (infrastructure === undefined) await release(clusters);
  else if (!isGoing(infrastructure)) await world.kube.delete(openStackClusters, ref);
}

async function untilGone(): Promise<void> {
  for (let looks = 0; looks < 20; looks += 1) {
    await othersLook();
    await world.clock.advance(15_000);
  }
}

describe("a cluster that owns its networks", () => {
  test.each([
    ["the Cluster first", [clusters, apiEndpoints]],
    ["the APIEndpoint first", [apiEndpoints, clusters]],
    ["the Cluster alone", [clusters]],
  ] as const)("goes whole: %s", async (_order, deleted) => {
    await begin();
    await world.removeMachine("blue-az1");
    for (const kind of deleted) {
      await world.kube.delete(kind as Kind, ref).catch(() => undefined);
      await world.clock.advance(10_000);
    }
    await untilGone();
    expect(countsByKind(world)).toEqual(nothing);
    for (const kind of [clusters, openStackClusters, apiEndpoints] as readonly Kind[])
      expect([kind.kind, await find(kind)]).toEqual([kind.kind, undefined]);
  });

  test("keeps its balancers until the last control-plane machine is gone: it needs them to be drained", async () => {
    await begin();
    await world.kube.delete(clusters, ref);
    await world.clock.advance(120_000);
    expect(balancerNames(world)).toHaveLength(3);
    expect(membersOf(world, "az1")).toHaveLength(1);
    await world.kube.delete(apiEndpoints, ref);
    await world.clock.advance(120_000);
    expect(balancerNames(world)).toHaveLength(3);
    await world.removeMachine("blue-az1");
    await untilGone();
    expect(countsByKind(world)).toEqual(nothing);
  });

  test("goes whole although no manager ran until its Cluster was gone", async () => {
    await begin();
    await running.manager.stop();
    await world.removeMachine("blue-az1");
    await world.kube.patch(clusters, ref, { type: "merge", body: { metadata: { finalizers: null } } });
    await world.kube.delete(clusters, ref);
    await world.clock.advance(10_000);
    running = world.work();
    await world.clock.advance(120_000);
    expect(countsByKind(world)).toEqual(nothing);
    expect(await find(apiEndpoints)).toBeUndefined();
  });
});

describe("an APIEndpoint", () => {
  test("has its Cluster as an owner, not as its controller, and nobody's deletion waits for that", async () => {
    await begin();
    const cluster = await world.kube.get(clusters, ref);
    const { metadata } = await world.kube.get(apiEndpoints, ref);
    const { uid } = cluster.metadata;
    expect(metadata.ownerReferences).toEqual([
      { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "blue", uid },
    ]);
    running.writes.length = 0;
    await world.clock.advance(120_000);
    expect(running.writes.filter((write) => write.includes("apiendpoints"))).toEqual([]);
  });

  test.each([
    ["true", ""],
    ["True", ", although that was mistyped"],
  ])("that outlives its Cluster has no such owner, and stays with its balancers: %j%s", async (value) => {
    await begin({ [outlivesClusterAnnotation]: value });
    expect((await world.kube.get(apiEndpoints, ref)).metadata.ownerReferences ?? []).toEqual([]);
    await world.removeMachine("blue-az1");
    await world.kube.patch(clusters, ref, { type: "merge", body: { metadata: { finalizers: null } } });
    await world.kube.delete(clusters, ref);
    await world.clock.advance(120_000);
    expect(balancerNames(world)).toHaveLength(3);
    expect((await find(apiEndpoints))?.metadata.deletionTimestamp).toBeUndefined();
  });

  test("that is to outlive it from now on loses the owner, and other owners stay", async () => {
    await begin();
    const other = { apiVersion: "v1", kind: "Secret", name: "cloud", uid: "of-somebody" };
    const { ownerReferences = [] } = (await world.kube.get(apiEndpoints, ref)).metadata;
    await running.manager.stop();
    const metadata = {
      annotations: { [outlivesClusterAnnotation]: "true" },
      ownerReferences: [...ownerReferences, other],
    };
    await world.kube.patch(apiEndpoints, ref, { type: "merge", body: { metadata } });
    running = world.work();
    await world.clock.advance(30_000);
    const left = (await world.kube.get(apiEndpoints, ref)).metadata.ownerReferences ?? [];
    expect(left.filter(({ kind }) => kind === "Cluster")).toEqual([]);
  });
});
