import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  dnsEndpoint,
  intent,
  legacyName,
  machine,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";

const az = ["az1", "az2", "az3"] as const;
const lingerMs = 45_000;

function zoned(over: Parameters<typeof zonesIntent>[1] = {}): CloudModel {
  const world = new CloudModel(zonesIntent(az, over));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  return world;
}

const isThere = (world: CloudModel, name: string) => world.rows.some(({ lb }) => lb.name === name);
const published = (world: CloudModel) => world.object.dnsEndpoint?.addresses ?? [];
const addressOf = (world: CloudModel, name: string) => {
  const { lb } = world.row(name);
  return world.floatingIps.find(({ portId }) => portId === lb.vipPortId)?.address ?? "";
};

/** Rounds until it is gone; how long that took since no record named it. */
function servedOnForMs(world: CloudModel, name: string): number {
  const address = addressOf(world, name);
  let outMs: number | undefined;
  for (let round = 0; round < 60; round += 1) {
    if (!published(world).includes(address)) outMs ??= world.nowMs;
    world.round();
    if (!isThere(world, name)) return world.nowMs - (outMs ?? world.nowMs);
  }
  return Number.POSITIVE_INFINITY;
}

describe("a balancer that is to go leaves the records first", () => {
  test("of a removed zone: it serves for one TTL and the damping after the records have dropped it", () => {
    const world = zoned({ publishDns: true });
    const name = zoneBalancerName("az3");
    world.intent = zonesIntent(["az1", "az2"], { publishDns: true });
    expect(servedOnForMs(world, name)).toBeGreaterThanOrEqual(lingerMs);
    expect(isThere(world, name)).toBe(false);
    world.converge();
    expect(world.status?.leaving).toEqual([]);
  });

  test("says until when, in the same words every time, and status remembers since when", () => {
    const world = zoned();
    world.intent = zonesIntent(["az1", "az2"]);
    world.round();
    const said = () => world.plan().waits.map(({ reason, message, lane }) => ({ reason, message, lane }));
    const first = said();
    expect(first).toEqual([
      {
        reason: "LoadBalancerLeaving",
        lane: { part: "az3" },
        message: expect.stringMatching(/az3-kubeapi: out of the DNS records, .* until 2026-01-01T\d\d:\d\d:\d\d/),
      },
    ]);
    expect(world.status?.leaving).toEqual([
      { id: world.row(zoneBalancerName("az3")).lb.id, name: zoneBalancerName("az3"), sinceMs: expect.any(Number) },
    ]);
    world.round();
    expect(said()).toEqual(first);
  });

  test("a crash before status is written makes the wait longer, never shorter", () => {
    const world = zoned();
    world.intent = zonesIntent(["az1", "az2"]);
    for (let looks = 0; looks < 5; looks += 1) {
      expect(world.plan().actions).toEqual([]);
      world.settle();
    }
    world.round();
    const sinceMs = world.nowMs;
    while (isThere(world, zoneBalancerName("az3"))) world.round();
    expect(world.nowMs - sinceMs).toBeGreaterThanOrEqual(lingerMs - 5_000);
  });

  test("counts from the moment the published records changed, not from the wish", () => {
    const world = zoned({ publishDns: true });
    const address = addressOf(world, zoneBalancerName("az3"));
    world.intent = zonesIntent(["az1", "az2"], { publishDns: true });
    for (let looks = 0; looks < 20; looks += 1) {
      const plan = world.plan();
      for (const action of plan.actions) if (action.kind !== "apply-dns-endpoint") world.apply(action);
      world.report(plan);
      world.settle();
    }
    expect(published(world)).toContain(address);
    expect(isThere(world, zoneBalancerName("az3"))).toBe(true);
    expect(world.plan().waits.map(({ reason }) => reason)).toEqual(["LoadBalancerLeaving"]);
    expect(servedOnForMs(world, zoneBalancerName("az3"))).toBeGreaterThanOrEqual(lingerMs);
  });

  test("a clock that was ahead does not hold it for ever", () => {
    const world = zoned();
    world.intent = zonesIntent(["az1", "az2"]);
    const { id, name } = world.row(zoneBalancerName("az3")).lb;
    world.recorded = { ...world.recorded, leaving: [{ id, name, sinceMs: world.nowMs + 86_400_000 }] };
    expect(servedOnForMs(world, name)).toBeLessThan(2 * lingerMs);
  });

  test("a zone that comes back stays, and begins anew when it leaves again", () => {
    const world = zoned();
    const { id } = world.row(zoneBalancerName("az3")).lb;
    world.intent = zonesIntent(["az1", "az2"]);
    for (let looks = 0; looks < 5; looks += 1) world.round();
    world.intent = zonesIntent(az);
    world.converge();
    expect(world.row(zoneBalancerName("az3")).lb.id).toBe(id);
    expect(world.status?.leaving).toEqual([]);
    world.intent = zonesIntent(["az1", "az2"]);
    for (let looks = 0; looks < 8; looks += 1) world.round();
    expect(isThere(world, zoneBalancerName("az3"))).toBe(true);
    world.converge();
    expect(isThere(world, zoneBalancerName("az3"))).toBe(false);
  });

  test("zones that are switched off, and a legacy balancer whose end is agreed, serve on as long", () => {
    const world = zoned();
    world.intent = intent({ endpoint: dnsEndpoint });
    while (!isThere(world, legacyName) || world.members(legacyName).length < 3) world.round();
    const beganMs = world.nowMs;
    while (world.ours().length > 1) world.round();
    expect(world.nowMs - beganMs).toBeGreaterThanOrEqual(lingerMs - 10_000);
    const fallback = world.addFallback();
    world.addFloatingIp({ portId: fallback.lb.vipPortId });
    world.converge();
    world.intent = { ...world.intent, consents: { ...world.intent.consents, removeLegacy: true } };
    const agreedMs = world.nowMs;
    while (world.rows.includes(fallback)) world.round();
    expect(world.nowMs - agreedMs).toBeGreaterThanOrEqual(lingerMs);
  });

  test.each([
    ["that serves nobody", (world: CloudModel) => void world.up.delete("10.6.3.1")],
    ["of a cluster that is deleted", (world: CloudModel) => void (world.intent = { ...world.intent, deleting: true })],
    [
      "of a cluster that never began",
      (world: CloudModel) => {
        world.object.provisioned = false;
        for (const pool of world.row(zoneBalancerName("az3")).pools) pool.members = [];
      },
    ],
  ])("one %s goes at once", (_which, change) => {
    const world = zoned();
    world.intent = zonesIntent(["az1", "az2"]);
    change(world);
    if (world.intent.deleting) world.machines = [];
    expect(world.plan().actions).toContainEqual(
      expect.objectContaining({ kind: "delete-load-balancer", name: zoneBalancerName("az3") }),
    );
  });
});
