import { beforeEach, describe, expect, test } from "vitest";
import { EndpointWorld } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
let world: EndpointWorld;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
});

describe("a cluster of three zones", () => {
  test("gets one balancer for each, with the machines of its zone behind it, and becomes provisioned", async () => {
    const { manager, log } = world.work();
    await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() } });
    await world.clock.advance(60_000);
    for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
    await world.clock.advance(60_000);
    const balancers = await world.balancers();
    expect(
      balancers.map(({ name, availabilityZone, provisioningStatus, operatingStatus }) => ({
        name,
        availabilityZone,
        provisioningStatus,
        operatingStatus,
      })),
    ).toEqual(
      ["az1", "az2", "az3"].map((zone) => ({
        name: `k8s-clusterapi-cluster-clusters-blue-${zone}-kubeapi`,
        availabilityZone: zone,
        provisioningStatus: "ACTIVE",
        operatingStatus: "ONLINE",
      })),
    );
    const { status } = await world.read("blue");
    expect({
      status,
      errors: log.lines?.filter?.((line: unknown) => JSON.stringify(line).includes("error")),
    }).toMatchObject({ status: { ready: true } });
    await manager.stop();
  });
});
