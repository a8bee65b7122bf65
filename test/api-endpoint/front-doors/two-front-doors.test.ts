// An OpenStackCluster that is ours and an APIEndpoint for the same Cluster, or with the same owner id: the OpenStackCluster counts,
// the other makes nothing, says so, and can go without taking anything along.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Feature } from "../../../src/engine/feature.ts";
import { externallyManagedAnnotation, ownerIdAnnotation } from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import { type ApiEndpoint, apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { apiEndpointFeature } from "../../../src/jobs/api-endpoint/controller/front-doors.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNames, floatingIps, membersOf } from "../world/cloud-contents.ts";
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

const zonesSpec = () => ({ controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones(["az1", "az2"]) });

async function apiEndpoint(annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  await world.kube.create(apiEndpoints, world.apiEndpoint("blue", zonesSpec(), annotations));
}

async function readyOfEndpoint() {
  const { status } = await world.kube.get<ApiEndpoint>(apiEndpoints, ref);
  return status?.conditions?.find(({ type }) => type === "Ready");
}

async function readyOfCluster() {
  return (await world.read("blue")).status?.conditions?.find(({ type }) => type === "Ready");
}

const inTheCloud = () => ({
  balancers: world.lab.fake.cloud.tables.loadbalancers.all().map(({ id, vipAddress }) => [id, vipAddress]),
  floatingIps: floatingIps(world).map(({ id, address, portId }) => [id, address, portId]),
  members: [membersOf(world, "az1"), membersOf(world, "az2")],
});

describe("an APIEndpoint beside an OpenStackCluster that is ours", () => {
  beforeEach(async () => {
    await world.cluster("blue", { spec: zonesSpec() });
    await world.machine("blue", "az1");
    await world.machine("blue", "az2");
    await world.clock.advance(200_000);
  });

  test("with its owner id makes nothing, says so, and takes nothing along when it goes", async () => {
    const { metadata } = await world.read("blue");
    const before = inTheCloud();
    expect(before.balancers).toHaveLength(2);
    await apiEndpoint({ [ownerIdAnnotation]: metadata.annotations?.[ownerIdAnnotation] ?? "" });
    await world.kube.patch(apiEndpoints, ref, {
      type: "merge",
      body: { metadata: { finalizers: ["mainstay.dev/api-endpoint"] } },
    });
    await world.clock.advance(120_000);
    expect(await readyOfEndpoint()).toMatchObject({ status: "False", reason: "OwnerIdTaken" });
    const { out } = await mainstay(world, ["explain", `apiendpoint/${namespace}/blue`]);
    expect(out).toContain(`is that of OpenStackCluster ${namespace}/blue`);
    expect(inTheCloud()).toEqual(before);
    await world.kube.delete(apiEndpoints, ref);
    await world.clock.advance(200_000);
    await expect(world.kube.get(apiEndpoints, ref)).rejects.toMatchObject({ code: "NotFound" });
    expect(inTheCloud()).toEqual(before);
    expect(await readyOfCluster()).toMatchObject({ status: "True" });
  });

  test("takes nothing along either when the OpenStackCluster is no longer claimed", async () => {
    const { metadata } = await world.read("blue");
    await world.patch("blue", { metadata: { annotations: { [externallyManagedAnnotation]: null } } });
    const before = inTheCloud();
    await apiEndpoint({ [ownerIdAnnotation]: metadata.annotations?.[ownerIdAnnotation] ?? "" });
    await world.clock.advance(60_000);
    await world.kube.delete(apiEndpoints, ref);
    await world.clock.advance(120_000);
    await expect(world.kube.get(apiEndpoints, ref)).rejects.toMatchObject({ code: "NotFound" });
    expect(inTheCloud()).toEqual(before);
  });

  test("for the same Cluster makes no second set, says which object is there, and can go", async () => {
    const before = inTheCloud();
    await apiEndpoint();
    await world.clock.advance(120_000);
    expect(inTheCloud()).toEqual(before);
    const ready = await readyOfEndpoint();
    expect(ready).toMatchObject({ status: "False", reason: "EndpointSpecInvalid" });
    expect(ready?.message).toContain(`Cluster ${namespace}/blue has OpenStackCluster ${namespace}/blue already`);
    await world.kube.delete(apiEndpoints, ref);
    await world.clock.advance(120_000);
    await expect(world.kube.get(apiEndpoints, ref)).rejects.toMatchObject({ code: "NotFound" });
    expect(inTheCloud()).toEqual(before);
  });
});

test("an APIEndpoint that was there first gives way to an OpenStackCluster, keeps its balancers, and takes only them along", async () => {
  await world.cluster("blue", { spec: zonesSpec() });
  await world.patch("blue", { metadata: { annotations: { [externallyManagedAnnotation]: null } } });
  await apiEndpoint();
  await world.clock.advance(120_000);
  expect(await readyOfEndpoint()).toMatchObject({ status: "True" });
  await world.patch("blue", { metadata: { annotations: { [externallyManagedAnnotation]: "mainstay" } } });
  await world.clock.advance(200_000);
  expect(await readyOfEndpoint()).toMatchObject({ status: "False", reason: "EndpointSpecInvalid" });
  expect(await readyOfCluster()).toMatchObject({ status: "True" });
  expect(balancerNames(world)).toHaveLength(4);
  await world.kube.delete(apiEndpoints, ref);
  await world.clock.advance(200_000);
  const ownerId = (await world.read("blue")).metadata.uid ?? "";
  const left = world.lab.fake.cloud.tables.loadbalancers.all();
  expect(left.map(({ tags }) => tags.includes(`mainstay-owner=${ownerId}`))).toEqual([true, true]);
  expect(await readyOfCluster()).toMatchObject({ status: "True" });
});

/** The manager runs without the controller of OpenStackClusters. */
class EndpointsAlone extends EndpointWorld {
  override features(): readonly Feature[] {
    return [apiEndpointFeature({ openStack: this.lab.fake, claims: "none" })];
  }
}

test("an APIEndpoint gives way to no OpenStackCluster where nobody serves those", async () => {
  await running.manager.stop();
  world = new EndpointsAlone();
  await world.furnish();
  running = world.work();
  await world.cluster("blue", { spec: zonesSpec() });
  await apiEndpoint();
  await world.clock.advance(120_000);
  expect(await readyOfEndpoint()).toMatchObject({ status: "True" });
  expect(balancerNames(world)).toHaveLength(2);
});
