import { beforeEach, describe, expect, test } from "vitest";
import { membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
const zones = ["az1", "az2", "az3"];
let world: EndpointWorld;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
});

describe("a cluster of three zones", () => {
  test("gets one balancer for each, with the machines of its zone behind it, and becomes provisioned", async () => {
    const { manager } = world.work();
    await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() } });
    await world.clock.advance(60_000);
    const addresses = new Map<string, string>();
    for (const zone of zones) addresses.set(zone, await world.machine("blue", zone));
    await world.clock.advance(60_000);
    for (const zone of zones) expect(membersOf(world, zone)).toEqual([addresses.get(zone)]);
    const balancers = await world.balancers();
    expect(
      balancers.map(({ name, availabilityZone, provisioningStatus, operatingStatus }) => ({
        name,
        availabilityZone,
        provisioningStatus,
        operatingStatus,
      })),
    ).toEqual(
      zones.map((zone) => ({
        name: `k8s-clusterapi-cluster-clusters-blue-${zone}-kubeapi`,
        availabilityZone: zone,
        provisioningStatus: "ACTIVE",
        operatingStatus: "ONLINE",
      })),
    );
    expect((await world.read("blue")).status).toMatchObject({ ready: true });
    await manager.stop();
  });

  test("needs networks, subnets and routers, and makes, changes and deletes none of them in all its life", async () => {
    const { networks, subnets, routers } = world.lab.fake.cloud.tables;
    const operators = () => structuredClone([networks.all(), subnets.all(), routers.all()]);
    const before = operators();
    const { manager } = world.work();
    await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() } });
    await world.clock.advance(120_000);
    expect([await world.balancers(), operators()]).toEqual([expect.objectContaining({ length: 3 }), before]);
    await world.remove("blue");
    await world.clock.advance(300_000);
    expect([await world.balancers(), operators()]).toEqual([[], before]);
    await manager.stop();
  });
});
