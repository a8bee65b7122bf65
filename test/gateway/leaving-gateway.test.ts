// A gateway that is taken out of its pool stops: it is told to carry nothing, after the others know their places. One that does not answer
// is fenced by its port in Neutron, and told when it answers again.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { gatewayPools } from "../../src/jobs/gateway/apis/gateway-pool.ts";
import type { TestManager } from "../support/test-manager.ts";
import { GatewayWorld } from "./world/gateway-world.ts";

let world: GatewayWorld;
let running: TestManager;
beforeEach(async () => {
  world = new GatewayWorld();
  await world.furnish();
});
afterEach(async () => {
  const stopped = running.manager.stop();
  await world.clock.advance(40_000);
  await stopped;
});

const settle = (ms = 60_000) => world.clock.advance(ms);
const documentOf = (gateway: string) => world.agents.get(gateway)?.agent.document();

async function keepOnly(gateway: string): Promise<void> {
  const { spec } = await world.getPool("public");
  const gateways = (spec?.gateways ?? []).filter(({ name }) => name === gateway);
  await world.kube.patch(gatewayPools, { name: "public" }, { type: "merge", body: { spec: { gateways } } });
}

describe("from a pool of fixed addresses", () => {
  beforeEach(async () => {
    await world.pool("public");
    await world.service("web");
    running = world.work();
    await settle();
  });

  test("it carries nothing any more, and the others serve as before", async () => {
    expect(world.carried("gw2")).toEqual(["192.0.2.10/TCP/80 default/web"]);
    await keepOnly("gw1");
    await settle();
    expect(documentOf("gw2")).toMatchObject({ groups: [], addresses: [], forwardings: [] });
    expect(world.carried("gw1")).toEqual(["192.0.2.10/TCP/80 default/web"]);
    expect(await world.addresses("web")).toEqual(["192.0.2.10"]);
  });

  test("one that does not answer is told as soon as it does", async () => {
    const service = world.feed.agents.get("http://gw2");
    world.feed.agents.delete("http://gw2");
    await settle();
    await keepOnly("gw1");
    await settle();
    expect(world.carried("gw2")).not.toEqual([]);
    if (service !== undefined) world.feed.agents.set("http://gw2", service);
    await settle();
    expect(world.carried("gw2")).toEqual([]);
  });

  test("one that does not answer for long is gone for good, and not asked for ever", async () => {
    const service = world.feed.agents.get("http://gw2");
    world.feed.agents.delete("http://gw2");
    await keepOnly("gw1");
    await settle(900_000);
    if (service !== undefined) world.feed.agents.set("http://gw2", service);
    await settle();
    expect(world.carried("gw2")).toEqual(["192.0.2.10/TCP/80 default/web"]);
    expect(world.carried("gw1")).toEqual(["192.0.2.10/TCP/80 default/web"]);
  });

  test("one that returns to the pool is told everything again", async () => {
    const { spec } = await world.getPool("public");
    await keepOnly("gw1");
    await settle();
    await world.kube.patch(
      gatewayPools,
      { name: "public" },
      { type: "merge", body: { spec: { gateways: spec?.gateways } } },
    );
    await settle();
    expect(world.carried("gw2")).toEqual(["192.0.2.10/TCP/80 default/web"]);
    expect(documentOf("gw2")).toEqual(documentOf("gw1"));
  });
});

describe("from a pool with addresses from Neutron", () => {
  let ports: readonly string[];
  const pairs = async (place: number) => {
    const { allowedAddressPairs } = await world.neutron.getPort(ports[place] ?? "");
    return allowedAddressPairs.map(({ address }) => address);
  };
  beforeEach(async () => {
    ports = await world.cloudPool("public");
    await world.service("web");
    running = world.work();
    await settle();
  });

  test.each(["answers", "does not answer"])("it loses our pairs when it %s, and no other gateway does", async (how) => {
    expect(await pairs(1)).toHaveLength(2);
    if (how !== "answers") world.feed.agents.delete("http://gw2");
    await settle();
    await keepOnly("gw1");
    await settle(120_000);
    expect(await pairs(1)).toEqual([]);
    expect(await pairs(0)).toHaveLength(2);
    expect(await world.addresses("web")).toHaveLength(1);
  });
});
