// A cloud that is so busy that it answers nobody in time, and carries on all the same.

import { afterEach, beforeEach, expect, test } from "vitest";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNames } from "../world/cloud-contents.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});
afterEach(() => running.manager.stop());

test("makes one balancer for each zone, however late the first requests take effect", async () => {
  let late = 0;
  world.lab.fake.addCallPlan(({ operation }) => {
    if (operation !== "create load balancer" || late === 3) return undefined;
    late += 1;
    return { lateMs: 50_000 };
  });
  let made = 0;
  world.lab.fake.onChange(({ kind, before, after }) => {
    if (kind === "loadbalancers" && before === undefined && after !== undefined) made += 1;
  });
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() } });
  await world.clock.advance(300_000);
  expect([late, made, balancerNames(world).length]).toEqual([3, 3, 3]);
});

test("leaves nothing behind of a cluster that is deleted before its requests take effect", async () => {
  let asked = 0;
  world.lab.fake.addCallPlan(({ operation }) => {
    if (operation !== "create load balancer") return undefined;
    asked += 1;
    return { lateMs: 55_000 };
  });
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() } });
  await world.clock.advance(10_000);
  await world.remove("blue");
  await world.clock.advance(60_000);
  expect([asked, (await world.read("blue")).metadata.finalizers?.length]).toEqual([3, 1]);
  await world.clock.advance(60_000);
  await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
  expect(balancerNames(world)).toEqual([]);
});
