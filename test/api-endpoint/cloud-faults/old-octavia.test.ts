// An Octavia without tags: nothing of ours could ever be told from what others made there, so nothing is made, and it is said.

import { afterEach, beforeEach, expect, test } from "vitest";
import type { TestManager } from "../../support/test-manager.ts";
import { countsByKind } from "../world/cloud-contents.ts";
import { mainstay } from "../world/endpoint-commands.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

const endpoint = { host: "api.blue.example.com", port: 6443 };
let world: EndpointWorld;
let running: TestManager;

async function begin(octaviaMinor: number): Promise<void> {
  world = new EndpointWorld({ cloud: { octaviaMinor } });
  await world.furnish();
  running = world.work();
  await world.cluster("blue", { spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() } });
  await world.clock.advance(120_000);
}

beforeEach(() => begin(4));
afterEach(() => running.manager.stop());

const ready = async () => (await world.read("blue")).status?.conditions?.find(({ type }) => type === "Ready");

test("nothing is made with API 2.4, and it is said which version it takes; the object can go", async () => {
  expect(Object.values(countsByKind(world)).every((count) => count === 0)).toBe(true);
  expect(await ready()).toMatchObject({ status: "False", reason: "OctaviaTooOld" });
  expect((await ready())?.message).toContain("Octavia's API is 2.4; Mainstay needs 2.5");
  await world.remove("blue");
  await world.clock.advance(300_000);
  await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
});

test("doctor says so", async () => {
  const { out } = await mainstay(world, ["doctor", "--clouds"]);
  expect(out).toMatch(/FAIL {2}cloud of OpenStackCluster clusters\/blue: project \w+: Octavia's API is 2\.4/);
});

test("API 2.5 is enough", async () => {
  await running.manager.stop();
  await begin(5);
  expect(countsByKind(world)).toMatchObject({ loadbalancers: 3 });
  expect(await ready()).toMatchObject({ status: "True" });
});
