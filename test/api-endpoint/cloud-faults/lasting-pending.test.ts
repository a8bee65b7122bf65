// A balancer that stays PENDING for hours, since a worker of Octavia died over it, or since somebody touches it again and again. It is
// looked at later and later, and what else is not well costs little beside it.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ProvisioningStatus } from "../../../src/core/openstack/octavia-objects.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

const minuteMs = 60_000;
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() } });
  for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
  await world.clock.advance(10 * minuteMs);
});
afterEach(() => running.manager.stop());

const set = (zone: string, provisioning: ProvisioningStatus) =>
  world.lab.fake.faults.setStatus("loadbalancers", balancerNamed(world, zone).id, { provisioning });

async function callsInAnHour(): Promise<number> {
  await world.clock.advance(20 * minuteMs);
  world.lab.fake.resetCounts();
  await world.clock.advance(60 * minuteMs);
  return [...world.lab.fake.counts().values()].reduce((sum, count) => sum + count, 0);
}

describe("a balancer that is stuck", () => {
  beforeEach(() => set("az1", "PENDING_UPDATE"));

  test("is looked at as often as one that is well", async () => {
    expect(await callsInAnHour()).toBeLessThan(750);
  });

  test("makes nobody look more often at a dead member elsewhere", async () => {
    world.lab.fake.faults.setMemberDown(membersOf(world, "az2")[0] ?? "", true);
    expect(await callsInAnHour()).toBeLessThan(900);
  });

  test("makes nobody look more often at two that are in ERROR", async () => {
    for (const zone of ["az2", "az3"]) set(zone, "ERROR");
    expect(await callsInAnHour()).toBeLessThan(950);
  });

  test("is served again within a minute when it comes back", async () => {
    await world.clock.advance(60 * minuteMs);
    set("az1", "ACTIVE");
    const next = await world.machine("blue", "az1", "blue-next");
    await world.clock.advance(minuteMs);
    expect(membersOf(world, "az1")).toContain(next);
  });
});

describe("a balancer that somebody else touches every three seconds", () => {
  let isTouching = true;

  beforeEach(() => {
    isTouching = true;
    const touch = () => {
      const { id } = balancerNamed(world, "az1");
      const updatedAt = new Date(world.clock.nowMs()).toISOString().slice(0, 19);
      world.lab.fake.cloud.tables.loadbalancers.patch(id, { provisioningStatus: "PENDING_UPDATE", updatedAt });
      if (isTouching) world.clock.after(3_000, touch);
      else set("az1", "ACTIVE");
    };
    touch();
  });

  test("is looked at later and later, although each touch is new", async () => {
    await world.clock.advance(minuteMs);
    expect(await callsInAnHour()).toBeLessThan(1_000);
  });

  test("is changed by us as fast as ever when they have stopped", async () => {
    await world.clock.advance(30 * minuteMs);
    isTouching = false;
    await world.clock.advance(2 * minuteMs);
    const zones = { ...world.zones(), additionalPorts: [8132, 8133] };
    await world.patch("blue", { spec: { apiServerLoadBalancer: zones } });
    await world.clock.advance(minuteMs);
    expect(membersOf(world, "az1", 8133)).toHaveLength(1);
  });
});
