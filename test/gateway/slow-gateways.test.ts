// Gateways that do not answer, answer late, or refuse, and pools beside each other: nobody is held up by another's trouble.

import { afterEach, beforeEach, expect, test } from "vitest";
import { poolAnnotation } from "../../src/jobs/gateway/apis/annotations.ts";
import { gatewayPools } from "../../src/jobs/gateway/apis/gateway-pool.ts";
import type { FeedRequest } from "../../src/ports/gateway-feed.ts";
import type { TestManager } from "../support/test-manager.ts";
import { GatewayWorld } from "./world/gateway-world.ts";

let world: GatewayWorld;
let running: TestManager;

beforeEach(async () => {
  world = new GatewayWorld();
  await world.furnish();
  running = world.work();
});
afterEach(async () => {
  world.feed.fate = () => "works";
  const stopped = running.manager.stop();
  await world.clock.advance(120_000);
  await stopped;
});

async function serve(...names: readonly string[]): Promise<void> {
  await world.pool("public");
  for (const name of names) await world.service(name);
  await world.clock.advance(20_000);
}

const ready = async (pool = "public") =>
  (await world.getPool(pool)).status?.conditions?.find(({ type }) => type === "Ready");
const isOf = (gateway: string) => (request: FeedRequest) => request.url === `http://${gateway}`;

function lead(gateway: string): void {
  world.agents.get(gateway)?.gateway.roles.set("a", "master");
}

test("while one gateway is silent, the one that leads carries a new Service, which is shown; the headline names the gateway", async () => {
  await serve();
  lead("gw1");
  world.feed.fate = (request) => (isOf("gw2")(request) ? "silent" : "works");
  await world.clock.advance(30_000);
  await world.service("web");
  await world.clock.advance(30_000);
  expect(await world.addresses("web")).toEqual(["192.0.2.10"]);
  expect(await ready()).toMatchObject({ status: "False", reason: "GatewayUnreachable" });
  world.feed.fate = () => "works";
  await world.clock.advance(60_000);
  expect(world.carried("gw2")).toEqual(world.carried("gw1"));
  expect(await ready()).toMatchObject({ status: "True" });
});

test("a new Service is not shown while nobody knows whether the leader carries it", async () => {
  await serve();
  world.feed.fate = (request) => (isOf("gw1")(request) ? "silent" : "works");
  await world.clock.advance(30_000);
  await world.service("web");
  await world.clock.advance(60_000);
  expect(world.carried("gw2")).toHaveLength(1);
  expect(await world.addresses("web")).toEqual([]);
});

test("a gateway that never answers at all holds up nobody", async () => {
  await serve();
  lead("gw1");
  world.feed.fate = (request) => (isOf("gw2")(request) ? new Promise(() => {}) : "works");
  await world.service("web");
  await world.clock.advance(30_000);
  expect(world.carried("gw1")).toHaveLength(1);
});

test("an address that a silent gateway may carry is given to nobody, also after a restart", async () => {
  await serve("web");
  lead("gw1");
  world.feed.fate = (request) => (isOf("gw2")(request) ? "silent" : "works");
  await world.clock.advance(30_000);
  await world.deleteService("web");
  await world.clock.advance(30_000);
  expect(await world.hasService("web")).toBe(false);
  expect((await world.getPool("public")).status?.quarantinedAddresses).toEqual(["192.0.2.10"]);
  const stopped = running.manager.stop();
  await world.clock.advance(20_000);
  await stopped;
  running = world.work();
  await world.clock.advance(30_000);
  await world.service("next");
  await world.clock.advance(30_000);
  expect(await world.addresses("next")).toEqual(["192.0.2.11"]);
  world.feed.fate = () => "works";
  await world.clock.advance(60_000);
  expect((await world.getPool("public")).status?.quarantinedAddresses).toEqual([]);
});

test("an hour of silence costs few requests that change anything, few writes and few Events", async () => {
  await serve("web");
  world.feed.fate = (request) => (isOf("gw2")(request) ? "silent" : "works");
  await world.clock.advance(60_000);
  const [writes, requests] = [running.writes.length, world.feed.requests.length];
  await world.clock.advance(3_600_000);
  const own = running.writes.slice(writes).filter((write) => !write.endsWith("leases.coordination.k8s.io"));
  expect(own.length).toBeLessThan(10);
  expect(world.feed.requests.slice(requests).filter((request) => request.startsWith("PUT"))).toEqual([]);
  expect(await world.eventsOn("web")).toEqual([]);
});

test("agents' credentials that are gone are said, and gateways go on with what they carry", async () => {
  await serve("web");
  await world.deleteSecret("agents");
  await world.clock.advance(60_000);
  expect(await ready()).toMatchObject({ reason: "GatewayCredentialsUnusable" });
  expect(await world.addresses("web")).toHaveLength(1);
  expect(world.carried("gw1")).toHaveLength(1);
});

test("a pool that is deleted stays while a gateway that does not answer may carry its addresses, and goes when that one leaves it", async () => {
  await serve("web");
  world.feed.fate = (request) => (isOf("gw2")(request) ? "silent" : "works");
  await world.clock.advance(30_000);
  await world.kube.delete(gatewayPools, { name: "public" });
  await world.clock.advance(60_000);
  expect(world.carried("gw1")).toEqual([]);
  expect(await ready()).toMatchObject({ reason: "GatewayUnreachable" });
  const body = { spec: { gateways: [world.gateway("gw1")] } };
  await world.kube.patch(gatewayPools, { name: "public" }, { type: "merge", body });
  await world.clock.advance(60_000);
  await expect(world.getPool("public")).rejects.toThrow(/not found/);
});

test("a gateway that was set up anew gets everything again", async () => {
  await serve("web");
  await world.startAgent("gw2");
  await world.clock.advance(60_000);
  expect(world.carried("gw2")).toEqual(world.carried("gw1"));
});

test("gateways that saw a higher term, as when a Lease was made anew, are continued from there", async () => {
  await serve("web");
  const document = world.agents.get("gw1")?.agent.document();
  if (document === undefined) throw new Error("it carries nothing");
  for (const { agent } of world.agents.values())
    await agent.apply({ kind: "whole", document: { ...document, version: { epoch: 900, generation: 3 } } });
  await world.service("mail");
  await world.clock.advance(60_000);
  expect(world.carried("gw1")).toHaveLength(2);
  expect(await world.addresses("mail")).toHaveLength(1);
});

test("of two pools each serves its own, and a Service that fits both is told", async () => {
  for (const name of ["gw3", "gw4"]) await world.startAgent(name);
  await world.pool("one");
  await world.pool("two", {
    gateways: [world.gateway("gw3"), world.gateway("gw4")],
    addresses: { static: { ipv4: ["192.0.2.100"] } },
    vrrp: { virtualRouterIDBase: 60, groups: [{ name: "b", sourceAddresses: ["10.1.0.200"] }] },
  });
  await world.service("both");
  await world.service("second", { annotations: { [poolAnnotation]: "two" } });
  await world.clock.advance(30_000);
  expect(await world.addresses("both")).toEqual([]);
  expect(await world.eventsOn("both")).toEqual(["ServicePoolAmbiguous"]);
  expect(await world.addresses("second")).toEqual(["192.0.2.100"]);
  expect([world.carried("gw1"), world.carried("gw3")]).toEqual([[], ["192.0.2.100/TCP/80 default/second"]]);
});

test("a pool that collides with an older one is refused in words, and the older one goes on", async () => {
  await serve("web");
  await world.pool("second");
  await world.clock.advance(30_000);
  expect(await ready("second")).toMatchObject({ status: "False", reason: "GatewayPoolInvalid" });
  expect(await ready()).toMatchObject({ status: "True" });
});
