// What kubectl alone shows of a cluster's life: conditions, the column ZONES and Events, without dashboard and command line.

import { afterEach, beforeEach, expect, test } from "vitest";
import { events } from "../../../src/apis/kube/builtin-kinds.ts";
import { findCondition } from "../../../src/core/conditions.ts";
import { toldByEvent } from "../../../src/core/part-changes.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed } from "../world/cloud-contents.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

const zones = ["az1", "az2", "az3"] as const;
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() } });
  await world.clock.advance(30_000);
});

afterEach(async () => {
  await running.manager.stop();
});

/** Machines join one after the other, as kubeadm adds them. */
async function joinAll(): Promise<readonly string[]> {
  const addresses: string[] = [];
  for (const zone of zones) {
    addresses.push(await world.machine("blue", zone));
    await world.clock.advance(300_000);
  }
  return addresses;
}

/** Within some minutes. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let seconds = 0; seconds < 300 && !(await isSo()); seconds += 1) await world.clock.advance(1_000);
}

const zonesServed = async () => (await world.read("blue")).status?.zonesServed;
const told = async (type: string) => findCondition((await world.read("blue")).status?.conditions ?? [], type);
const ready = () => told("Ready");

test("a healthy start: zones are counted as they begin to serve, and no Event is a Warning", async () => {
  expect(await zonesServed()).toBe("0/3");
  await world.machine("blue", "az1");
  await world.clock.advance(60_000);
  expect(await zonesServed()).toBe("1/3");
  for (const zone of ["az2", "az3"]) {
    await world.machine("blue", zone);
    await world.clock.advance(300_000);
  }
  expect(await zonesServed()).toBe("3/3");
  expect((await world.events()).filter(({ type }) => type === "Warning")).toEqual([]);
});

test("Events are called after what was done, and say the cause in plain words", async () => {
  await joinAll();
  const made = await world.events();
  const reasons = new Set(made.map(({ reason }) => reason));
  for (const reason of ["LoadBalancerCreated", "ListenerCreated", "PoolCreated", "HealthMonitorCreated", "MemberAdded"])
    expect(reasons).toContain(reason);
  expect([...reasons].filter((reason) => /Missing|Unclaimed|Unmarked|Unrecorded/.test(reason))).toEqual([]);
  const [listener] = made.filter(({ reason }) => reason === "ListenerCreated").map(({ note }) => note);
  expect(listener).toMatch(/^Created listener \S+ on port 6443 for zone az\d\. Cause: A port has no listener$/);
});

test("a zone goes dark: it is no longer counted, and nothing is counted as lost while nobody can tell", async () => {
  const [, second = ""] = await joinAll();
  world.lab.fake.faults.setMemberDown(second, true);
  await world.clock.advance(120_000);
  expect(await zonesServed()).toBe("2/3");
  expect(await ready()).toMatchObject({ status: "True", reason: "MembersUnhealthy" });
  expect((await ready())?.message).toMatch(
    /\(blue-az2 does not\)\. You have to act: mainstay runbook MembersUnhealthy/,
  );
  // Octavia says ERROR of the balancer, and it is complete: the condition says why.
  expect(await told("LoadBalancersReady")).toMatchObject({
    status: "True",
    message: "az2: complete; Octavia says ERROR of it because no machine answers behind it",
  });
  world.lab.fake.addCallPlan(({ service }) => (service === "octavia" ? { turnAway: { status: 503 } } : undefined));
  await world.clock.advance(120_000);
  expect(await zonesServed()).toBe("?/3");
});

test("that a zone failed, and that this is over, are Events that a dashboard reads after a restart", async () => {
  const [, second = ""] = await joinAll();
  world.lab.fake.faults.setMemberDown(second, true);
  await world.clock.advance(400_000);
  world.lab.fake.faults.setMemberDown(second, false);
  await world.clock.advance(120_000);
  const told = (await world.events()).filter(
    ({ reason, note }) => reason === "PartHealthChanged" && note.includes("az2"),
  );
  const [failed] = told.filter(({ note }) => note.startsWith("zone az2 is unhealthy now, and was healthy before"));
  const [back] = told.filter(({ note }) => note.startsWith("zone az2 is healthy now, and was unhealthy before"));
  expect([failed, back].map((event) => event?.type)).toEqual(["Normal", "Normal"]);
  const { items } = await world.kube.list(events, {});
  expect(items.map(toldByEvent)).toContainEqual({ parts: ["az2"], health: "healthy" });
});

test("a balancer that somebody deletes: what happened, since when, what Mainstay does and when to act, until it is back", async () => {
  await joinAll();
  const lost = balancerNamed(world, "az2");
  const deleted = world.cloud.octavia.deleteLoadBalancer(lost.id);
  await world.clock.advance(1_000);
  await deleted;
  await until(async () => (await ready())?.reason === "LoadBalancerLost");
  const words =
    /^the API can be reached through az1 and az3, .*: az2: its load balancer \(\S+az2\S+\) was gone from Octavia at (\S+Z)\. Mainstay makes it again with the same address \S+, which usually takes one to five minutes; act if it does not serve by \S+Z\. Mainstay acts by itself \(mainstay runbook LoadBalancerLost\)$/;
  expect(await ready()).toMatchObject({ status: "True", message: expect.stringMatching(words) });
  expect(await told("LoadBalancersReady")).toMatchObject({ status: "False", reason: "LoadBalancerLost" });
  expect((await told("MembersHealthy"))?.message).toBe(
    "az2: its machines wait for their load balancer, which is made again",
  );
  expect((await world.read("blue")).status?.apiServerLoadBalancers?.[1]).toMatchObject({
    health: "Unhealthy",
    repair: { because: "Gone" },
  });
  const reasons = new Set<string | undefined>();
  await until(async () => {
    reasons.add((await ready())?.reason);
    return reasons.has("AsExpected");
  });
  // Until it is back nothing else is blamed, and nobody is told to act.
  expect([...reasons]).toEqual(["LoadBalancerLost", "AsExpected"]);
  await world.clock.advance(600_000);
  expect(await ready()).toMatchObject({ status: "True", reason: "AsExpected" });
  expect((await world.read("blue")).status?.apiServerLoadBalancers?.[1]).not.toHaveProperty("repair");
  const warnings = (await world.events()).filter(({ type }) => type === "Warning");
  expect(warnings).toMatchObject([
    { reason: "LoadBalancerLost", note: expect.stringMatching(/^the load balancer of zone az2 \(\S+\) was gone/) },
  ]);
});

test("a zone that is down as a whole is called so, where machines of other zones stand behind its balancer", async () => {
  await joinAll();
  await world.patch("blue", {
    spec: { apiServerLoadBalancer: { ...world.zones(), allowCrossAZLoadBalancerMembers: true } },
  });
  await world.clock.advance(120_000);
  const { id } = balancerNamed(world, "az2");
  world.lab.fake.faults.darkenZone("az2", "stuck");
  await until(async () => (await ready())?.reason === "ZoneDown");
  expect((await ready())?.message).toMatch(
    new RegExp(
      `^the API can be reached through az1 and az3, .*: az2: the zone seems to be down as a whole: its load balancer \\S+ \\(id ${id}\\) does not serve \\(Octavia says ERROR of the load balancer itself, although machines of other zones answer behind it\\), and its machine blue-az2 does not answer\\. You have to act: mainstay runbook ZoneDown says how$`,
    ),
  );
  const { apiServerLoadBalancers = [] } = (await world.read("blue")).status ?? {};
  expect(apiServerLoadBalancers.map(({ health }) => health)).toEqual(["Degraded", "Unhealthy", "Degraded"]);
});

test("a cloud that cannot be reached: no condition that needs it stays True", async () => {
  await joinAll();
  world.lab.fake.addCallPlan(() => ({ turnAway: "unreachable" }));
  await world.clock.advance(120_000);
  for (const type of [
    "Ready",
    "OpenStackAuthenticationSucceeded",
    "NetworkReady",
    "LoadBalancersReady",
    "MembersHealthy",
  ])
    expect(await told(type)).toMatchObject({ status: "Unknown" });
  expect((await ready())?.message).toMatch(
    /when last seen, the API could be reached\. Mainstay waits and goes on by itself/,
  );
});

test("a deletion that waits for machines is a condition and an Event, and says first what to do about a mistake", async () => {
  await joinAll();
  await world.remove("blue");
  await world.clock.advance(60_000);
  const message = expect.stringMatching(
    /^the object is being deleted: .*\(blue-az1, .*If by mistake: .* If on purpose: /,
  );
  expect(await ready()).toMatchObject({ status: "False", reason: "MachinesRemain", message });
  const told = (await world.events()).filter(({ reason }) => reason === "MachinesRemain");
  expect(told).toMatchObject([{ type: "Warning", note: expect.stringContaining("blue-az1, blue-az2, blue-az3") }]);
});
