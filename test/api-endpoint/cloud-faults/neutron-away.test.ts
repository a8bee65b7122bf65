// A Neutron that answers nobody, while Octavia goes on: what is served stays served, and what is to go waits.

import { afterEach, beforeEach, expect, test } from "vitest";
import { machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNames, floatingIps, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(["az1"]) } });
});
afterEach(() => running.manager.stop());

/** Answers with how it comes back. */
function neutronAway(): () => void {
  return world.lab.fake.addCallPlan(({ service }) =>
    service === "neutron" ? { turnAway: { status: 503 } } : undefined,
  );
}

test("the last member stays while its machine is being deleted, until another one serves", async () => {
  const address = await world.machine("blue", "az1");
  await world.clock.advance(200_000);
  const ref = { name: "blue-az1", namespace };
  await world.kube.patch(machines, ref, { type: "merge", body: { metadata: { finalizers: ["test/held"] } } });
  neutronAway();
  await world.kube.delete(machines, ref);
  await world.clock.advance(120_000);
  expect(membersOf(world, "az1")).toEqual([address]);
  const next = await world.machine("blue", "az1", "blue-next");
  await world.clock.advance(120_000);
  expect(membersOf(world, "az1")).toEqual([next]);
});

test("a cluster that is deleted meanwhile is held, and leaves nothing behind afterwards", async () => {
  await world.clock.advance(200_000);
  const back = neutronAway();
  await world.remove("blue");
  await world.clock.advance(120_000);
  expect([balancerNames(world).length, floatingIps(world).length]).toEqual([1, 1]);
  back();
  await world.clock.advance(300_000);
  expect([balancerNames(world), floatingIps(world)]).toEqual([[], []]);
  await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
});
