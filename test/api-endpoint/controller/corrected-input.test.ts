// People who correct what they wrote, and Machines that say a thing with an empty word.

import { afterEach, beforeEach, expect, test } from "vitest";
import { machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});
afterEach(() => running.manager.stop());

const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };

test("a subnet that is corrected while the cloud refuses the balancer is the one where it is made", async () => {
  let isFull = true;
  world.lab.fake.addCallPlan(({ operation }) =>
    isFull && operation === "create load balancer" ? { turnAway: { status: 403, message: "quota" } } : undefined,
  );
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(["az1"]) } });
  await world.clock.advance(60_000);
  const [, , third] = world.lab.subnetIds;
  const availabilityZoneSubnets = [{ availabilityZone: "az1", subnet: { id: third } }];
  await world.patch("blue", { spec: { apiServerLoadBalancer: { availabilityZoneSubnets } } });
  await world.clock.advance(60_000);
  isFull = false;
  await world.clock.advance(900_000);
  expect((await world.balancers()).map(({ vipSubnetId }) => vipSubnetId)).toEqual([third]);
  const [entry] = (await world.read("blue")).status?.apiServerLoadBalancers ?? [];
  expect(entry?.loadBalancerNetwork?.subnets?.map(({ id }) => id)).toEqual([third]);
});

test.each([
  ["an empty failure domain is where its status says", "", "az1", "az1"],
  ["another failure domain than its status is where its spec says", "az2", "az1", "az2"],
])("a Machine whose spec has %s", async (_what, inSpec, inStatus, zone) => {
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(["az1", "az2"]) } });
  const labels = { "cluster.x-k8s.io/cluster-name": "blue", "cluster.x-k8s.io/control-plane": "" };
  const addresses = [{ type: "InternalIP", address: "10.0.1.77" }];
  await world.put(openStackMachines, "blue-1", {}, { labels, status: { addresses } });
  const infrastructureRef = { kind: "OpenStackMachine", name: "blue-1" };
  const spec = { clusterName: "blue", failureDomain: inSpec, infrastructureRef };
  await world.put(machines, "blue-1", spec, { labels, status: { failureDomain: inStatus } });
  await world.clock.advance(120_000);
  expect(membersOf(world, zone)).toEqual(["10.0.1.77"]);
  expect(membersOf(world, zone === "az1" ? "az2" : "az1")).toEqual([]);
});
