// Somebody cleared the tags of some balancers, and their object is deleted. Nothing is forgotten while others still live: each is looked
// for by name as long as the deletion goes on, and the finalizer goes only when none is left.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import type { LoadBalancer } from "../../../src/core/openstack/octavia-objects.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import type { ApiServerLoadBalancer } from "../../../src/jobs/api-endpoint/apis/load-balancer/api-server-load-balancer.ts";
import {
  type OpenStackCluster,
  openStackClusters,
} from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { countsByKind } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const ref = { name: "blue", namespace };
const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
const nothing = { loadbalancers: 0, listeners: 0, pools: 0, members: 0, healthmonitors: 0, floatingips: 0 };
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});
afterEach(() => running.manager.stop());

type Door = "OpenStackCluster" | "APIEndpoint";
const kinds: Readonly<Record<Door, Kind>> = { OpenStackCluster: openStackClusters, APIEndpoint: apiEndpoints };
const doors: readonly Door[] = ["OpenStackCluster", "APIEndpoint"];
const managers = ["running", "away"] as const;

async function begin(door: Door, apiServerLoadBalancer: ApiServerLoadBalancer): Promise<void> {
  const spec = { controlPlaneEndpoint, apiServerLoadBalancer };
  if (door === "OpenStackCluster") await world.cluster("blue", { spec });
  else {
    await world.put(clusters, "blue", {});
    await world.kube.create(apiEndpoints, world.apiEndpoint("blue", spec));
  }
  await world.clock.advance(180_000);
}

/** In zones that do not have the single balancer's subnet: it becomes their fall-back. */
async function beginWithFallBack(door: Door): Promise<void> {
  await begin(door, { enabled: true });
  const subnetId = world.lab.fake.cloud.tables.loadbalancers.all()[0]?.vipSubnetId;
  const others = ["az1", "az2", "az3"].filter((_zone, index) => world.lab.subnetIds[index] !== subnetId);
  const body = { spec: { apiServerLoadBalancer: world.zones(others.slice(0, 2)) } };
  await world.kube.patch(kinds[door], ref, { type: "merge", body });
  await world.clock.advance(300_000);
  expect(tagged("mainstay-role=fallback")).toHaveLength(1);
  expect(world.lab.fake.cloud.tables.loadbalancers.all()).toHaveLength(3);
}

const tagged = (tag: string) =>
  world.lab.fake.cloud.tables.loadbalancers.all().filter(({ tags }) => tags.includes(tag));

function clearTags(ids: readonly LoadBalancer["id"][]): void {
  const { loadbalancers } = world.lab.fake.cloud.tables;
  for (const id of ids) loadbalancers.patch(id, { tags: [] });
}

/** Of the balancer and of all that is below it. */
function clearAllTags(ids: readonly LoadBalancer["id"][]): void {
  clearTags(ids);
  const { listeners, pools, healthmonitors, members } = world.lab.fake.cloud.tables;
  const isBelow = ({ loadBalancerId }: { readonly loadBalancerId: string }) => ids.some((id) => id === loadBalancerId);
  for (const table of [listeners, pools, healthmonitors, members])
    for (const { id } of table.all().filter(isBelow)) table.patch(id, { tags: [] });
}

async function deleteMeanwhile(door: Door, manager: (typeof managers)[number], meanwhile: () => void): Promise<void> {
  if (manager === "away") await running.manager.stop();
  meanwhile();
  await world.kube.delete(kinds[door], ref);
  if (manager === "away") running = world.work();
  await world.clock.advance(600_000);
}

async function expectNothingLeft(door: Door): Promise<void> {
  expect(countsByKind(world)).toEqual(nothing);
  await expect(world.kube.get(kinds[door], ref)).rejects.toMatchObject({ code: "NotFound" });
}

describe.each(doors)("through an %s", (door) => {
  describe.each(managers)("with a manager %s", (manager) => {
    test.each([1, 2, 3])("%i of three without tags leave nothing", async (count) => {
      await begin(door, world.zones());
      const ids = world.lab.fake.cloud.tables.loadbalancers.all().map(({ id }) => id);
      await deleteMeanwhile(door, manager, () => clearTags(ids.slice(0, count)));
      await expectNothingLeft(door);
    });

    test("a single one without tags leaves nothing", async () => {
      await begin(door, { enabled: true });
      const ids = world.lab.fake.cloud.tables.loadbalancers.all().map(({ id }) => id);
      await deleteMeanwhile(door, manager, () => clearTags(ids));
      await expectNothingLeft(door);
    });

    test("a fall-back without tags leaves nothing: what is below it still bears them", async () => {
      await beginWithFallBack(door);
      const ids = tagged("mainstay-role=fallback").map(({ id }) => id);
      await deleteMeanwhile(door, manager, () => clearTags(ids));
      await expectNothingLeft(door);
    });

    test("a fall-back without tags, and none below it either, leaves nothing: status names it", async () => {
      await beginWithFallBack(door);
      const ids = tagged("mainstay-role=fallback").map(({ id }) => id);
      await deleteMeanwhile(door, manager, () => clearAllTags(ids));
      await expectNothingLeft(door);
    });
  });

  test("one of our name below which nobody can look keeps the object until somebody can", async () => {
    await begin(door, world.zones());
    await running.manager.stop();
    clearTags(world.lab.fake.cloud.tables.loadbalancers.all().map(({ id }) => id));
    // What is left of the object's own in Neutron would hold it anyway.
    const { floatingips } = world.lab.fake.cloud.tables;
    for (const { id } of floatingips.all()) floatingips.remove(id);
    await world.kube.patch(kinds[door], ref, { type: "merge", body: { status: null } }, { subresource: "status" });
    let isSilent = true;
    world.lab.fake.addCallPlan(({ operation }) =>
      isSilent && operation === "get status tree" ? { loseReply: "silence" } : undefined,
    );
    await world.kube.delete(kinds[door], ref);
    running = world.work();
    await world.clock.advance(20_000);
    const { status } = await world.kube.get<OpenStackCluster>(kinds[door], ref);
    expect(status?.conditions?.find(({ type }) => type === "Ready")?.message).toMatch(
      /being deleted: .*kubeapi has none of our tags, and what is below it could not be read/,
    );
    isSilent = false;
    await world.clock.advance(600_000);
    await expectNothingLeft(door);
  });

  test("one that loses its tags while the others are being deleted leaves nothing", async () => {
    await begin(door, world.zones());
    const [first] = world.lab.fake.cloud.tables.loadbalancers.all();
    await world.kube.delete(kinds[door], ref);
    await world.clock.advance(500);
    clearTags(first === undefined ? [] : [first.id]);
    await world.clock.advance(600_000);
    await expectNothingLeft(door);
  });
});
