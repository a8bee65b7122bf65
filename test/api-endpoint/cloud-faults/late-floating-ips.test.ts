// A cloud that makes a floating IP when nobody waits for its answer any more, and when it is not wanted any more either.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, floatingIps } from "../world/cloud-contents.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

const withoutBalancer = { apiServerLoadBalancer: { enabled: false } };
const switchedOff = { spec: { disableAPIServerFloatingIP: true, apiServerFixedIP: "10.0.1.50" } };

let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  const stop = world.lab.fake.addCallPlan(({ operation }) => {
    if (operation !== "create floating ip") return undefined;
    stop();
    return { lateMs: 55_000 };
  });
  running = world.work();
});

afterEach(async () => {
  await running.manager.stop();
});

const asked = () => world.lab.fake.counts().get("neutron create floating ip");
const host = async () => (await world.read("blue")).spec?.controlPlaneEndpoint?.host;

describe("a floating IP for the machines that is made late", () => {
  test("becomes the endpoint, and no second one is made beside it", async () => {
    await world.cluster("blue", { spec: withoutBalancer });
    await world.clock.advance(180_000);
    expect(floatingIps(world).map(({ address }) => address)).toEqual([await host()]);
    expect(asked()).toBe(1);
  });

  test("is released when floating IPs were switched off meanwhile", async () => {
    await world.cluster("blue", { spec: withoutBalancer });
    await world.clock.advance(40_000);
    expect(floatingIps(world)).toEqual([]);
    await world.patch("blue", switchedOff);
    await world.clock.advance(20_000);
    expect(floatingIps(world)).toHaveLength(1);
    await world.clock.advance(60_000);
    expect([floatingIps(world), await host()]).toEqual([[], "10.0.1.50"]);
  });

  test("is waited for and released when the cluster was deleted meanwhile, also by a manager that knows nothing of it", async () => {
    await world.cluster("blue", { spec: withoutBalancer });
    await world.clock.advance(40_000);
    await running.manager.stop();
    await world.remove("blue");
    running = world.work();
    await world.clock.advance(10_000);
    expect(floatingIps(world)).toEqual([]);
    const made: string[] = [];
    world.lab.fake.onChange(({ kind, id, before }) => {
      if (kind === "floatingips" && before === undefined) made.push(id);
    });
    await world.clock.advance(180_000);
    expect([made.length, floatingIps(world)]).toEqual([1, []]);
    await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
  });
});

test("a floating IP that comes late to a balancer, after they were switched off, is soon seen and said", async () => {
  const endpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", {
    spec: { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones(["az1"]) },
  });
  await world.machine("blue", "az1");
  await world.clock.advance(20_000);
  expect([asked(), floatingIps(world)]).toEqual([1, []]);
  await world.patch("blue", { spec: { disableAPIServerFloatingIP: true } });
  await world.clock.advance(120_000);
  const [{ id, address, portId } = { id: "", address: "", portId: "" }] = floatingIps(world);
  expect(portId).toBe(balancerNamed(world, "az1").vipPortId);
  expect(await world.notes()).toContainEqual(expect.stringContaining(`${address} stays on it`));
  const detached = world.cloud.neutron.updateFloatingIp(id, { portId: null });
  await world.clock.advance(3_660_000);
  await detached;
  expect(floatingIps(world)).toEqual([]);
});
