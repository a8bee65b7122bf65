// One zone whose calls are slow, or never answered: no other zone waits for it, nothing is made twice or taken away meanwhile, and
// what it costs stays bounded.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { machines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { dnsEndpoints } from "../../../src/apis/external-dns/dns-endpoint.ts";
import { openCrd } from "../../../src/sim/fakes/kube/open-crd.ts";
import type { CloudCallPlan } from "../../../src/sim/fakes/openstack/call-handler.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, balancerNames, countsByKind, floatingIps, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
const hour = 3_600_000;
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  await world.define(openCrd(dnsEndpoints));
  running = world.work();
});
afterEach(stop);

async function stop(): Promise<void> {
  const stopped = running.manager.stop();
  await world.clock.advance(60_000);
  await stopped;
}

/** Every call about a balancer in az1, and the one that makes it. Answers with how they become quick again, and how many there were. */
function slow(callPlan: CloudCallPlan): { readonly end: () => void; readonly calls: () => number } {
  let calls = 0;
  const end = world.lab.fake.addCallPlan(({ zone }) => {
    if (zone !== "az1") return undefined;
    calls += 1;
    return callPlan;
  });
  return { end, calls: () => calls };
}

async function blueInThreeZones(annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  const spec = { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() };
  await world.cluster("blue", { spec, annotations });
  for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
}

/** Balancer, listener, pool, monitor, member and floating IP. */
function isWhole(zone: string): boolean {
  const { loadbalancers, listeners, pools, healthmonitors, members, floatingips } = world.lab.fake.cloud.tables;
  const balancer = loadbalancers.all().find(({ name }) => name.includes(`-${zone}-`));
  if (balancer?.provisioningStatus !== "ACTIVE") return false;
  const below = [listeners, pools, healthmonitors, members].map((table) =>
    table.all().some(({ loadBalancerId }) => loadBalancerId === balancer.id),
  );
  return below.every(Boolean) && floatingips.all().some(({ portId }) => portId === balancer.vipPortId);
}

async function secondsUntil(done: () => boolean, maxMs: number): Promise<number> {
  const beganMs = world.clock.monotonicMs();
  await world.clock.runUntil(done, maxMs);
  return done() ? (world.clock.monotonicMs() - beganMs) / 1_000 : Number.POSITIVE_INFINITY;
}

const ofEach = { loadbalancers: 3, listeners: 3, pools: 3, members: 3, healthmonitors: 3, floatingips: 3 };

describe.each([
  ["take effect late", { delayMs: 29_000 }],
  ["are answered late", { answerDelayMs: 29_000 }],
] as const)("while the calls about one zone %s", (_how, callPlan) => {
  test("the other zones are built as if there were no such zone, and status says what is waited for", async () => {
    const alone = await secondsAlone();
    slow(callPlan);
    await blueInThreeZones();
    const seconds = await secondsUntil(() => isWhole("az2") && isWhole("az3"), 600_000);
    expect(seconds).toBeLessThan(alone + 10);
    const { status } = await world.read("blue");
    const ready = status?.conditions?.find(({ type }) => type === "LoadBalancersReady");
    expect(ready?.status).not.toBe("True");
    expect(ready?.message).toMatch(/^az1: .*not (been )?answered yet/);
  });

  test("each zone ends with one of everything", async () => {
    slow(callPlan);
    await blueInThreeZones();
    await world.clock.advance(1_200_000);
    expect([isWhole("az1"), countsByKind(world)]).toEqual([true, ofEach]);
  });

  test("a removal under way there lets no other removal begin, and adding goes on", async () => {
    const second = await blueWithTwoMachinesEach();
    const { calls } = slow(callPlan);
    const ref = { name: "second-az1", namespace };
    await world.kube.delete(machines, ref);
    await world.clock.runUntil(() => calls() > 0, 60_000);
    await world.kube.delete(machines, { name: "second-az2", namespace });
    const third = await world.machine("blue", "az3", "third-az3");
    await world.clock.advance(20_000);
    expect(membersOf(world, "az3")).toContain(third);
    expect(membersOf(world, "az2")).toContain(second.get("az2"));
    await world.clock.advance(120_000);
    expect(membersOf(world, "az2")).not.toContain(second.get("az2"));
    expect(membersOf(world, "az1")).not.toContain(second.get("az1"));
  });
});

/** In a world of its own, with nothing slow. */
async function secondsAlone(): Promise<number> {
  await blueInThreeZones();
  const seconds = await secondsUntil(() => isWhole("az2") && isWhole("az3"), 600_000);
  await stop();
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
  return seconds;
}

async function blueWithTwoMachinesEach(): Promise<ReadonlyMap<string, string>> {
  await blueInThreeZones();
  const second = new Map<string, string>();
  for (const zone of ["az1", "az2", "az3"]) second.set(zone, await world.machine("blue", zone, `second-${zone}`));
  await world.clock.advance(120_000);
  return second;
}

describe("while the calls about one zone are never answered", () => {
  test("the other zones are built, and a new machine elsewhere serves within seconds", async () => {
    slow({ delayMs: Number.POSITIVE_INFINITY });
    await blueInThreeZones();
    expect(await secondsUntil(() => isWhole("az2") && isWhole("az3"), 600_000)).toBeLessThan(40);
    const address = await world.machine("blue", "az2", "new-az2");
    expect(await secondsUntil(() => membersOf(world, "az2").includes(address), 600_000)).toBeLessThan(6);
  });

  test("a new machine elsewhere serves within seconds, also when all was built before and something changed there", async () => {
    await blueInThreeZones();
    await world.clock.advance(120_000);
    slow({ delayMs: Number.POSITIVE_INFINITY });
    const { id } = balancerNamed(world, "az1");
    world.lab.fake.faults.setStatus("loadbalancers", id, { operating: "DEGRADED" });
    await world.clock.advance(45_000);
    const address = await world.machine("blue", "az2", "new-az2");
    expect(await secondsUntil(() => membersOf(world, "az2").includes(address), 600_000)).toBeLessThan(6);
  });

  test("for an hour, few calls are sent there, its zone stays in the records, and nothing is taken away", async () => {
    await blueInThreeZones({ "mainstay.dev/publish-dns": "true" });
    await world.clock.advance(120_000);
    const published = async () => (await world.kube.get(dnsEndpoints, { name: "blue", namespace })).spec;
    const before = [countsByKind(world), await published()];
    const { calls } = slow({ delayMs: Number.POSITIVE_INFINITY });
    const { id } = balancerNamed(world, "az1");
    world.lab.fake.faults.setStatus("loadbalancers", id, { operating: "DEGRADED" });
    let writes = 0;
    for (let minute = 0; minute < 60; minute += 1) {
      await world.clock.advance(hour / 60);
      if (minute === 9) writes = running.writes.length;
    }
    expect([countsByKind(world), await published()]).toEqual(before);
    expect(calls()).toBeLessThan(250);
    // Nothing comes and goes in status: its words are the same from minute to minute.
    expect(running.writes.length - writes).toBeLessThan(10);
  });

  test("a cluster that is deleted keeps its finalizer, and leaves nothing once they are", async () => {
    await blueInThreeZones();
    await world.clock.advance(120_000);
    const { end } = slow({ delayMs: Number.POSITIVE_INFINITY });
    for (const zone of ["az1", "az2", "az3"]) await world.kube.delete(machines, { name: `blue-${zone}`, namespace });
    await world.remove("blue");
    await world.clock.advance(300_000);
    expect(balancerNames(world)).toHaveLength(1);
    expect((await world.read("blue")).metadata.finalizers).toHaveLength(1);
    end();
    await world.clock.advance(900_000);
    expect([balancerNames(world), floatingIps(world)]).toEqual([[], []]);
    await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
  });
});

describe("while the calls about one zone are slow for an hour", () => {
  test("what is known of it does not come and go in status", async () => {
    await blueInThreeZones();
    await world.clock.advance(120_000);
    slow({ delayMs: 29_000 });
    const { id } = balancerNamed(world, "az1");
    world.lab.fake.faults.setStatus("loadbalancers", id, { operating: "DEGRADED" });
    await world.clock.advance(120_000);
    const before = running.writes.length;
    await world.clock.advance(hour);
    expect(running.writes.length - before).toBeLessThan(10);
    const { status } = await world.read("blue");
    expect(status?.conditions?.find(({ type }) => type === "Ready")).toMatchObject({ status: "True" });
  });
});

test.each(["neutron", "nova"] as const)(
  "while %s answers nothing, new machines serve within seconds",
  async (service) => {
    await blueInThreeZones();
    await world.clock.advance(hour);
    world.lab.fake.addCallPlan((call) =>
      call.service === service ? { delayMs: Number.POSITIVE_INFINITY } : undefined,
    );
    for (const [index, zone] of ["az2", "az3"].entries()) {
      await world.clock.advance(45_000 * index);
      const address = await world.machine("blue", zone, `new-${zone}`);
      expect(await secondsUntil(() => membersOf(world, zone).includes(address), 600_000)).toBeLessThan(8);
    }
  },
);

test("for a cluster that is paused while everything is slow, nothing more is asked or sent", async () => {
  world.lab.fake.settings.answerMs = () => 6_000;
  const calls: number[] = [];
  world.lab.fake.addCallPlan(() => void calls.push(world.clock.monotonicMs()));
  await blueInThreeZones();
  for (const seconds of [4, 9, 14, 19, 24]) {
    await world.clock.advance(seconds * 1_000);
    await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/paused": "true" } } });
    // A round that began before may still send.
    await world.clock.advance(14_000);
    const before = calls.length;
    await world.clock.advance(120_000);
    expect(calls.length).toBe(before);
    await world.patch("blue", { metadata: { annotations: { "cluster.x-k8s.io/paused": null } } });
  }
  world.lab.fake.settings.answerMs = () => 0;
  await world.clock.advance(600_000);
  expect(countsByKind(world)).toEqual(ofEach);
});

describe("a manager that is stopped, or loses its term, while a slow call is under way", () => {
  test("has sent nothing after its end, and the next one makes nothing twice", async () => {
    let stoppedMs = Number.POSITIVE_INFINITY;
    const after: string[] = [];
    world.lab.fake.addCallPlan(({ write, operation }) => {
      if (write && world.clock.monotonicMs() > stoppedMs) after.push(operation);
      return undefined;
    });
    slow({ answerDelayMs: 29_000 });
    await blueInThreeZones();
    await world.clock.runUntil(() => isWhole("az2"), 60_000);
    await stop();
    stoppedMs = world.clock.monotonicMs();
    await world.clock.advance(120_000);
    expect(after).toEqual([]);
    stoppedMs = Number.POSITIVE_INFINITY;
    running = world.work();
    await world.clock.advance(900_000);
    expect(countsByKind(world)).toEqual(ofEach);
  });
});
