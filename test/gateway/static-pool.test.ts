// Services through a pool with static addresses: who is served, by what, and what remains.

import { afterEach, beforeEach, expect, test } from "vitest";
import {
  dedicatedAnnotation,
  inboundPortAnnotation,
  managedAnnotation,
} from "../../src/jobs/gateway/apis/annotations.ts";
import { gatewayPools } from "../../src/jobs/gateway/apis/gateway-pool.ts";
import { serviceKind } from "../../src/jobs/gateway/controller/observe.ts";
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
  const stopped = running.manager.stop();
  await world.clock.advance(20_000);
  await stopped;
});

async function serve(...names: readonly string[]): Promise<void> {
  await world.pool("public");
  for (const name of names) await world.service(name);
  await world.clock.advance(20_000);
}

test("a Service gets an address that both gateways carry before it is shown, for two writes", async () => {
  await serve();
  const before = running.writes.length;
  await world.service("web");
  await world.clock.advance(20_000);
  expect(await world.addresses("web")).toEqual(["192.0.2.10"]);
  for (const gateway of ["gw1", "gw2"]) expect(world.carried(gateway)).toEqual(["192.0.2.10/TCP/80 default/web"]);
  const ofService = running.writes.slice(before).filter((write) => write.endsWith("services"));
  expect(ofService).toHaveLength(2);
  expect(running.writes.slice(before).filter((write) => write.includes("events"))).toEqual([]);
  const { metadata } = await world.getService("web");
  expect(metadata.finalizers).toEqual(["mainstay.dev/gateway"]);
});

test("the pool says who is served, what gateways carry, and that all is well", async () => {
  await serve("web", "mail");
  const { status } = await world.getPool("public");
  expect(status).toMatchObject({
    gatewaysReady: "2/2",
    addresses: { inUse: 2, quarantined: 0 },
    services: { served: 2, refused: 0 },
  });
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  expect(ready).toMatchObject({ status: "True", reason: "AsExpected" });
  expect(status?.gateways?.map(({ carries }) => carries)).toEqual([status?.version, status?.version]);
});

test("a quiet pool is left alone", async () => {
  await serve("web");
  const [writes, pushes] = [running.writes.length, countPushes()];
  await world.clock.advance(600_000);
  const own = running.writes.slice(writes).filter((write) => !write.endsWith("leases.coordination.k8s.io"));
  expect(own).toEqual([]);
  expect(countPushes()).toBe(pushes);
});

test("endpoints reach the gateways", async () => {
  await world.pool("public", { backendLayer: "Pod" });
  await world.service("web");
  await world.slice("web", ["10.2.0.1"]);
  await world.clock.advance(20_000);
  await world.slice("web", ["10.2.0.1", "10.2.0.2"]);
  await world.clock.advance(2_000);
  const [forwarding] = world.agents.get("gw2")?.agent.document()?.forwardings ?? [];
  expect(forwarding?.endpoints.map(({ address }) => address)).toEqual(["10.2.0.1", "10.2.0.2"]);
});

test("a Service that is deleted goes when no gateway carries it, and its address is free again", async () => {
  await serve("web");
  await world.deleteService("web");
  await world.clock.advance(20_000);
  expect(await world.hasService("web")).toBe(false);
  expect(world.carried("gw1")).toEqual([]);
  await world.service("next");
  await world.clock.advance(20_000);
  expect(await world.addresses("next")).toEqual(["192.0.2.10"]);
});

test("a Service that opts out, or becomes another type, is released and says so", async () => {
  await serve("web", "mail");
  await world.change("web", { metadata: { annotations: { [managedAnnotation]: "false" } } });
  await world.change("mail", { spec: { type: "ClusterIP" } });
  await world.clock.advance(20_000);
  for (const name of ["web", "mail"]) {
    const { metadata } = await world.getService(name);
    expect(metadata.finalizers ?? []).toEqual([]);
    expect(metadata.annotations?.[inboundPortAnnotation]).toBe(undefined);
    expect(await world.addresses(name)).toEqual([]);
  }
  expect((await world.getService("web")).metadata.annotations?.[managedAnnotation]).toBe("false");
  expect(world.carried("gw1")).toEqual([]);
  expect(await world.eventsOn("web")).toContain("AddressReleased");
});

test("annotations that somebody strips come back with the same address, and nothing moves", async () => {
  await serve("web", "mail");
  const addresses = await world.addresses("mail");
  const annotations = Object.keys((await world.getService("mail")).metadata.annotations ?? {});
  const none = Object.fromEntries(annotations.map((name) => [name, null]));
  await world.change("mail", { metadata: { annotations: none, finalizers: [] } });
  await world.clock.advance(20_000);
  expect(await world.addresses("mail")).toEqual(addresses);
  const { metadata } = await world.getService("mail");
  expect(metadata.annotations?.[inboundPortAnnotation]).toBe(addresses[0]);
  expect(metadata.finalizers).toEqual(["mainstay.dev/gateway"]);
});

test("an address that somebody removes from the status is shown again, and entries of others stay", async () => {
  await serve("web");
  const foreign = { hostname: "elsewhere.example.com" };
  const set = (ingress: readonly object[]) =>
    world.kube.patch(
      serviceKind,
      { name: "web", namespace: "default" },
      { type: "merge", body: { status: { loadBalancer: { ingress } } } },
      { subresource: "status" },
    );
  await set([foreign]);
  await world.clock.advance(20_000);
  const { status } = await world.getService("web");
  expect(status?.loadBalancer?.ingress).toEqual([foreign, expect.objectContaining({ ip: "192.0.2.10" })]);
  await world.deleteService("web");
});

test("a new leader takes no address away, and moves nobody", async () => {
  await serve("web", "mail");
  const before = [world.carried("gw1"), await world.addresses("web"), await world.addresses("mail")];
  const stopped = running.manager.stop();
  await world.clock.advance(20_000);
  await stopped;
  const seen = new Set<number>();
  world.feed.fate = () => {
    seen.add(world.carried("gw1").length);
    return "works";
  };
  running = world.work();
  await world.clock.advance(60_000);
  expect([world.carried("gw1"), await world.addresses("web"), await world.addresses("mail")]).toEqual(before);
  expect([...seen]).toEqual([2]);
  const [one, other] = ["gw1", "gw2"].map((name) => world.agents.get(name)?.agent.document()?.version);
  expect(one).toEqual(other);
});

test("a Service for which nothing is left is told why, alone, and is served when an address is free", async () => {
  await serve("a", "b", "c");
  await world.service("d");
  await world.clock.advance(20_000);
  expect(await world.addresses("d")).toEqual([]);
  expect(await world.eventsOn("d")).toEqual(["PoolExhausted"]);
  expect(await world.eventsOn("a")).toEqual([]);
  const conditions = (await world.getService("d")).status as { conditions?: readonly { reason: string }[] };
  expect(conditions.conditions?.map(({ reason }) => reason)).toEqual(["PoolExhausted"]);
  await world.deleteService("b");
  await world.clock.advance(20_000);
  expect(await world.addresses("d")).toHaveLength(1);
});

test("one Service that gateways cannot carry is not shown, and keeps nobody else from it", async () => {
  await world.pool("public", { backendLayer: "Pod", gateways: [world.gateway("gw1")] });
  await world.service("good", { annotations: { [dedicatedAnnotation]: "true" } });
  await world.slice("good", ["10.2.0.1"]);
  await world.clock.advance(20_000);
  const agent = world.agents.get("gw1");
  if (agent !== undefined) agent.gateway.fate = (call) => (call === "nft.apply" ? "fails" : "works");
  await world.service("late");
  await world.clock.advance(60_000);
  expect(await world.addresses("late")).toEqual([]);
  expect(await world.addresses("good")).toEqual(["192.0.2.10"]);
  const ready = (await world.getPool("public")).status?.conditions?.find(({ type }) => type === "Ready");
  expect(ready).toMatchObject({ status: "False", reason: "GatewayApplyFailed" });
  if (agent !== undefined) agent.gateway.fate = () => "works";
  await world.clock.advance(600_000);
  expect(await world.addresses("late")).toHaveLength(1);
});

test("a pool that is deleted takes everything back and goes", async () => {
  await serve("web");
  await world.kube.delete(gatewayPools, { name: "public" });
  await world.clock.advance(30_000);
  expect(await world.addresses("web")).toEqual([]);
  expect((await world.getService("web")).metadata.finalizers ?? []).toEqual([]);
  expect(world.carried("gw1")).toEqual([]);
  await expect(world.getPool("public")).rejects.toThrow(/not found/);
});

test("a Service of another class is never touched", async () => {
  await world.pool("public", { loadBalancerClass: "example.com/ours", isDefault: true });
  await world.service("theirs", { spec: { loadBalancerClass: "example.com/theirs" } });
  await world.service("ours", { spec: { loadBalancerClass: "example.com/ours" } });
  await world.clock.advance(20_000);
  expect((await world.getService("theirs")).metadata.annotations ?? {}).toEqual({});
  expect(await world.addresses("ours")).toHaveLength(1);
});

function countPushes(): number {
  return world.feed.requests.filter((request) => request.startsWith("PUT")).length;
}
