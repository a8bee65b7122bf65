// A cloud where the same step fails for hours: a balancer that cannot be deleted, one that ends in ERROR each time it is made. What is sent
// and written meanwhile stays bounded, and people are told once, whatever our clock shows and however often the manager is restarted.

import { beforeEach, describe, expect, test } from "vitest";
import { events } from "../../../src/apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { findCondition } from "../../../src/core/conditions.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNames } from "../world/cloud-contents.ts";
import { EndpointWorld } from "../world/endpoint-world.ts";

const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const hours = [
  ["with clocks that agree", 0, hourMs],
  ["with our clock two hours ahead", 2 * hourMs, hourMs],
  ["with our clock two hours behind", -2 * hourMs, hourMs],
  ["with a restart every five minutes", 0, 5 * minuteMs],
  ["with our clock two hours ahead and a restart every five minutes", 2 * hourMs, 5 * minuteMs],
] as const;
let world: EndpointWorld;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
});

/** Its wall clock is off by so much; those of the cloud and of the API server are right. */
function managerOff(byMs: number): TestManager {
  const clock: Clock = {
    nowMs: () => world.clock.nowMs() + byMs,
    monotonicMs: () => world.clock.monotonicMs(),
    after: (delayMs, callback) => world.clock.after(delayMs, callback),
  };
  return world.manager({ clock });
}

async function runFor(running: TestManager, ms: number): Promise<void> {
  await world.clock.advance(ms);
  const stopped = running.manager.stop();
  await world.clock.advance(1_000);
  await stopped;
}

interface Hour {
  readonly deletes: number;
  readonly creates: number;
  readonly calls: number;
  readonly statusWrites: number;
  /** Reasons of Events that were made. */
  readonly warnings: readonly string[];
}

/** What one hour costs. */
async function anHour(skewMs: number, restartEveryMs: number): Promise<Hour> {
  const { fake } = world.lab;
  fake.resetCounts();
  let statusWrites = 0;
  for (let atMs = 0; atMs < hourMs; atMs += restartEveryMs) {
    const running = managerOff(skewMs);
    await runFor(running, restartEveryMs);
    statusWrites += running.writes.filter((write) => write.includes("openstackclusters")).length;
  }
  const { items } = await world.kube.list<KubeObject & { readonly type?: string; readonly reason?: string }>(
    events,
    {},
  );
  return {
    deletes: fake.counts().get("octavia delete load balancer") ?? 0,
    creates: fake.counts().get("octavia create load balancer") ?? 0,
    calls: [...fake.counts().values()].reduce((sum, count) => sum + count, 0),
    statusWrites,
    warnings: items.flatMap(({ type, reason = "" }) => (type === "Warning" ? reason : [])),
  };
}

const readyNow = async () => findCondition((await world.read("blue")).status?.conditions ?? [], "Ready");
const wantBlue = () =>
  world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones(["az1"]) } });

describe("a balancer whose deletion ends in ERROR for an hour", () => {
  beforeEach(async () => {
    await wantBlue();
    await runFor(world.work(), 5 * minuteMs);
    world.lab.fake.faults.setFailing("PENDING_DELETE", true);
    await world.remove("blue");
  });

  test.each(hours)("costs few calls and few writes %s, and goes when it can", async (_how, skewMs, restartMs) => {
    const { deletes, calls, statusWrites } = await anHour(skewMs, restartMs);
    expect(deletes).toBeGreaterThanOrEqual(10);
    expect(deletes).toBeLessThanOrEqual(25);
    expect(calls).toBeLessThanOrEqual(1_500);
    expect(statusWrites).toBeLessThanOrEqual(restartMs === hourMs ? 10 : 60);
    expect(await readyNow()).toMatchObject({ status: "False", reason: "StepRepeated" });
    world.lab.fake.faults.setFailing("PENDING_DELETE", false);
    await runFor(managerOff(skewMs), 10 * minuteMs);
    expect(balancerNames(world)).toEqual([]);
    await expect(world.read("blue")).rejects.toMatchObject({ code: "NotFound" });
  });

  test("is told once: what is done again and again, and what an operator can do", async () => {
    const { warnings } = await anHour(0, hourMs);
    expect(warnings).toEqual(["StepRepeated"]);
    const [note] = (await world.notes()).filter((text) => text.includes("several times"));
    expect(note).toMatch(/^delete load balancer k8s-.*-az1-.* because EndpointDeleted: .*find out why it fails/);
  });

  test("is tried again at once when somebody changes the object", async () => {
    const running = world.work();
    await world.clock.advance(30 * minuteMs);
    world.lab.fake.faults.setFailing("PENDING_DELETE", false);
    await world.patch("blue", { metadata: { annotations: { "mainstay.dev/repair": "true" } } });
    await runFor(running, minuteMs);
    expect(balancerNames(world)).toEqual([]);
  });
});

describe("a balancer that ends in ERROR each time it is made, for an hour", () => {
  test.each(hours)("is made a few times only %s, and whole when it can be", async (_how, skewMs, restartMs) => {
    world.lab.fake.faults.setFailing("PENDING_CREATE", true);
    await wantBlue();
    const { creates, deletes, calls, statusWrites } = await anHour(skewMs, restartMs);
    expect(creates).toBeGreaterThanOrEqual(8);
    expect(creates).toBeLessThanOrEqual(25);
    expect(deletes).toBeLessThanOrEqual(25);
    expect(calls).toBeLessThanOrEqual(2_000);
    expect(statusWrites).toBeLessThanOrEqual(restartMs === hourMs ? 80 : 130);
    world.lab.fake.faults.setFailing("PENDING_CREATE", false);
    await runFor(managerOff(skewMs), 15 * minuteMs);
    expect(await readyNow()).toMatchObject({ status: "True" });
  });

  test("is told once, beside that it is in ERROR", async () => {
    world.lab.fake.faults.setFailing("PENDING_CREATE", true);
    await wantBlue();
    const { warnings } = await anHour(0, hourMs);
    expect(warnings.toSorted()).toEqual(["LoadBalancerInError", "StepRepeated"]);
    expect(await readyNow()).toMatchObject({ status: "False", reason: "StepRepeated" });
  });
});
