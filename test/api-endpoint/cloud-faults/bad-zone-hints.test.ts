// Several clusters in one project, and requests that are bad (400): what one cluster's requests taught is no rule for the others.
// Calls take a while here, so that looks overlap.

import { afterEach, beforeEach, expect, test } from "vitest";
import type { ApiServerLoadBalancer } from "../../../src/jobs/api-endpoint/apis/load-balancer/api-server-load-balancer.ts";
import { addFlavor } from "../../../src/sim/fakes/openstack/cloud-setup.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, balancerNames } from "../world/cloud-contents.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  const providers = { amphora: "amphora", other: "misplaced" } as const;
  world = new EndpointWorld({ cloud: { providers, settings: { answerMs: () => 150 } } });
  await world.furnish();
  running = world.work();
});
afterEach(async () => {
  const stopped = running.manager.stop();
  await world.clock.advance(10_000);
  await stopped;
});

async function cluster(name: string, block: ApiServerLoadBalancer = {}): Promise<void> {
  const controlPlaneEndpoint = { host: `api.${name}.example.com`, port: 6443 };
  await world.cluster(name, {
    spec: { controlPlaneEndpoint, apiServerLoadBalancer: { ...world.zones(["az1"]), ...block } },
  });
}

test("a cluster whose requests are bad for a reason of its own costs no other cluster its hint", async () => {
  const { name: flavor } = addFlavor(world.lab.fake.cloud, { name: "of-other", provider: "other" });
  await cluster("bad", { provider: "amphora", flavor });
  const others = Array.from(Array(12).keys(), (index) => `good${String(index + 10)}`);
  for (const name of others) {
    await world.clock.advance(1_700);
    await cluster(name, { provider: "amphora" });
  }
  await world.clock.advance(120_000);
  expect(others.map((name) => balancerNamed(world, name).availabilityZone)).toEqual(others.map(() => "az1"));
  expect(balancerNames(world)).toHaveLength(others.length);
});

test("clusters that learn that a zone is refused are all built without it, beside others whose requests stay bad", async () => {
  const { name: flavor } = addFlavor(world.lab.fake.cloud, { name: "of-amphora", provider: "amphora" });
  for (const index of Array(8).keys()) {
    await cluster(`bad${String(index)}`, { provider: "other", flavor });
    await world.clock.advance(400);
  }
  const others = Array.from(Array(6).keys(), (index) => `good${String(index)}`);
  for (const name of others) {
    await cluster(name, { provider: "other" });
    await world.clock.advance(1_300);
  }
  await world.clock.advance(120_000);
  expect(balancerNames(world)).toHaveLength(others.length);
  for (const name of others) {
    expect(balancerNamed(world, name)).toMatchObject({ provider: "other", provisioningStatus: "ACTIVE" });
    expect(balancerNamed(world, name).availabilityZone).toBeUndefined();
  }
});
