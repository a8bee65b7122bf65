// Objects whose life goes another way than Cluster API's: their Cluster goes first or never comes, nobody claims them any more, or
// somebody copied them. Nothing is left behind, nothing of another object's is touched, and nobody waits in silence.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import {
  externallyManagedAnnotation,
  outlivesClusterAnnotation,
  ownerIdAnnotation,
} from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import { type ApiEndpoint, apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNames, countsByKind, membersOf } from "../world/cloud-contents.ts";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
const ref = { name: "blue", namespace };
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});
afterEach(() => running.manager.stop());

const zonesSpec = () => ({ controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() });

async function apiEndpoint(
  name: string,
  cluster: string,
  annotations: Readonly<Record<string, string>> = {},
): Promise<void> {
  const spec = { clusterRef: { name: cluster }, controlPlaneEndpoint: endpoint };
  await world.kube.create(apiEndpoints, world.apiEndpoint(name, spec, annotations));
}

async function readyOf(name: string) {
  const { status } = await world.kube.get<ApiEndpoint>(apiEndpoints, { name, namespace });
  return status?.conditions?.find(({ type }) => type === "Ready");
}

const nothing = { loadbalancers: 0, listeners: 0, pools: 0, members: 0, healthmonitors: 0, floatingips: 0 };

describe("nothing is left behind", () => {
  test("by an APIEndpoint that outlives its Cluster: it says so, and takes its balancers along when it is deleted", async () => {
    await world.put(clusters, "blue", {});
    await apiEndpoint("blue", "blue", { [outlivesClusterAnnotation]: "true" });
    await world.clock.advance(120_000);
    await world.kube.delete(clusters, ref);
    await world.clock.advance(60_000);
    expect(balancerNames(world)).toHaveLength(3);
    expect(await readyOf("blue")).toMatchObject({ reason: "ClusterNotFound" });
    await world.kube.delete(apiEndpoints, ref);
    await world.clock.advance(120_000);
    expect(countsByKind(world)).toEqual(nothing);
    await expect(world.kube.get(apiEndpoints, ref)).rejects.toMatchObject({ code: "NotFound" });
  });

  test("by an OpenStackCluster that is no longer claimed", async () => {
    await world.cluster("blue", { spec: zonesSpec() });
    await world.clock.advance(120_000);
    await world.patch("blue", { metadata: { annotations: { [externallyManagedAnnotation]: null } } });
    await world.clock.advance(60_000);
    expect(balancerNames(world)).toHaveLength(3);
    await world.remove("blue");
    await world.clock.advance(120_000);
    expect(countsByKind(world)).toEqual(nothing);
    await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
  });

  test.each(["with", "without"])(
    "by an OpenStackCluster whose Cluster went first, %s its owner reference",
    async (how) => {
      await world.cluster("blue", { spec: zonesSpec() });
      await world.clock.advance(120_000);
      if (how === "without") await world.patch("blue", { metadata: { ownerReferences: null } });
      await world.kube.delete(clusters, ref, { propagation: "Orphan" });
      await world.clock.advance(60_000);
      await world.remove("blue");
      await world.clock.advance(120_000);
      expect(countsByKind(world)).toEqual(nothing);
      await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
    },
  );
});

describe("a copy of an object, with the original's owner id and finalizer", () => {
  test("gets nothing, says why, and takes nothing along when it goes", async () => {
    await world.cluster("blue", { spec: zonesSpec() });
    await world.machine("blue", "az1");
    await world.clock.advance(120_000);
    const before = await world.balancers();
    const { metadata } = await world.read("blue");
    const ownerId = metadata.annotations?.[ownerIdAnnotation] ?? "";
    const spec = { ...zonesSpec(), controlPlaneEndpoint: { ...endpoint, host: "api.green.example.com" } };
    await world.cluster("green", { spec, annotations: { [ownerIdAnnotation]: ownerId } });
    await world.patch("green", { metadata: { finalizers: metadata.finalizers } });
    await world.machine("green", "az1");
    await world.clock.advance(120_000);
    expect((await world.balancers()).map(({ id, name }) => [id, name])).toEqual(
      before.map(({ id, name }) => [id, name]),
    );
    expect(membersOf(world, "az1")).toHaveLength(1);
    const copied = (await world.read("green")).status?.conditions?.find(({ type }) => type === "Ready");
    expect(copied).toMatchObject({ status: "False", reason: "OwnerIdTaken" });
    const { out } = await mainstay(world, ["explain", `openstackcluster/${namespace}/green`]);
    expect(out).toContain("OwnerIdTaken");
    expect(out).toContain(`is that of OpenStackCluster ${namespace}/blue`);
    await world.remove("green");
    await world.clock.advance(60_000);
    await expect(world.read("green")).rejects.toMatchObject({ code: "NotFound" });
    expect((await world.balancers()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect((await world.read("blue")).status?.conditions?.[0]).toMatchObject({ type: "Ready", status: "True" });
  });
});

test("an APIEndpoint goes on although an OpenStackCluster bears its id, in whichever namespace; that one gets nothing and takes nothing along", async () => {
  await world.put(clusters, "blue", {});
  await apiEndpoint("blue", "blue");
  await world.clock.advance(120_000);
  const { metadata } = await world.kube.get(apiEndpoints, ref);
  const before = await world.balancers();
  expect(before).toHaveLength(3);
  const spec = { ...zonesSpec(), controlPlaneEndpoint: { ...endpoint, host: "api.green.example.com" } };
  await world.cluster("green", { spec, annotations: { [ownerIdAnnotation]: metadata.uid ?? "" } });
  await world.clock.advance(60_000);
  await world.machine("blue", "az1");
  await world.clock.advance(60_000);
  expect(await readyOf("blue")).toMatchObject({ status: "True" });
  expect(membersOf(world, "az1")).toHaveLength(1);
  const copied = (await world.read("green")).status?.conditions?.find(({ type }) => type === "Ready");
  expect(copied).toMatchObject({ status: "False", reason: "OwnerIdTaken" });
  await world.remove("green");
  await world.clock.advance(120_000);
  await expect(world.read("green")).rejects.toMatchObject({ code: "NotFound" });
  expect((await world.balancers()).map(({ id, name }) => [id, name])).toEqual(before.map(({ id, name }) => [id, name]));
});

test("what CAPO left in the single entry, and nobody has any more, is shown no longer", async () => {
  const spec = {
    controlPlaneEndpoint: endpoint,
    apiServerLoadBalancer: {
      ...world.zones(["az1"]),
      availabilityZoneSubnets: [{ availabilityZone: "az1", subnet: { filter: { name: "not-yet" } } }],
    },
  };
  await world.cluster("blue", { spec, annotations: { "cluster.x-k8s.io/paused": "" } });
  const left = { id: "gone", name: "k8s-clusterapi-cluster-clusters-blue-kubeapi", ip: "203.0.113.77", tags: ["old"] };
  await world.kube.patch(
    openStackClusters,
    ref,
    { type: "merge", body: { status: { apiServerLoadBalancer: left } } },
    { subresource: "status" },
  );
  await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/paused": null } } });
  await world.clock.advance(60_000);
  const { apiServerLoadBalancer: shown } = (await world.read("blue")).status ?? {};
  expect(shown).toMatchObject({ health: "Empty" });
  for (const field of ["id", "name", "tags"]) expect(shown).not.toHaveProperty(field);
  running.writes.length = 0;
  await world.clock.advance(120_000);
  expect(running.writes.filter((write) => write.includes("openstackclusters"))).toEqual([]);
});

test("an empty owner id is none: each object gets one of its own, and its balancers", async () => {
  await world.cluster("azure", { annotations: { [ownerIdAnnotation]: "", "cluster.x-k8s.io/paused": "" } });
  await world.cluster("blue", { spec: zonesSpec(), annotations: { [ownerIdAnnotation]: "" } });
  await world.clock.advance(120_000);
  const { metadata } = await world.read("blue");
  expect(metadata.annotations?.[ownerIdAnnotation]).toBe(metadata.uid);
  expect(balancerNames(world)).toHaveLength(3);
});

describe("an APIEndpoint", () => {
  test("beside another one of the same Cluster makes nothing and says which is there; it takes over when that one goes", async () => {
    await world.put(clusters, "blue", {});
    await apiEndpoint("blue", "blue");
    await world.clock.advance(5_000);
    await apiEndpoint("azure", "blue");
    await world.clock.advance(120_000);
    expect(balancerNames(world)).toHaveLength(3);
    expect(await readyOf("blue")).toMatchObject({ status: "True" });
    const second = await readyOf("azure");
    expect(second).toMatchObject({ status: "False", reason: "EndpointSpecInvalid" });
    expect(second?.message).toContain(`Cluster ${namespace}/blue has APIEndpoint ${namespace}/blue already`);
    await world.kube.delete(apiEndpoints, ref);
    await world.clock.advance(240_000);
    expect(await readyOf("azure")).toMatchObject({ status: "True" });
    expect(balancerNames(world)).toHaveLength(3);
  });

  test("whose Cluster is not there says so, makes nothing, and goes on when it comes", async () => {
    await apiEndpoint("blue", "blue");
    await world.clock.advance(60_000);
    const waiting = await readyOf("blue");
    expect(waiting).toMatchObject({ reason: "ClusterNotFound" });
    expect(waiting?.message).toContain(`there is no Cluster ${namespace}/blue`);
    expect((await world.kube.get(apiEndpoints, ref)).metadata.finalizers ?? []).toEqual([]);
    await world.put(clusters, "blue", {});
    await world.clock.advance(120_000);
    expect(await readyOf("blue")).toMatchObject({ status: "True" });
    await expect(world.kube.get(openStackClusters, ref)).rejects.toMatchObject({ code: "NotFound" });
  });
});
