// Every part below a balancer has a provisioning status of its own, and none of them is taken for ACTIVE because the balancer is.

import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import type { BalancerRow } from "../../../../../test/api-endpoint/model/cloud-rows.ts";
import {
  machine,
  tcpPorts,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";

const az = ["az1", "az2"] as const;
let world: CloudModel;

function start(provider = "amphora"): void {
  world = new CloudModel(zonesIntent(az, { additionalPorts: tcpPorts(9345), publishDns: true, provider }));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.nowMs += 600_000;
}

beforeEach(() => start());

const row = (zone = "az2"): BalancerRow => world.row(zoneBalancerName(zone));
const condition = (type: string) => world.status?.conditions.find((one) => one.type === type);
const kinds = () => world.plan().actions.map(({ kind, lane }) => [kind, lane?.part]);

function poolOn(port: number) {
  const id = row().listeners.find((one) => one.port === port)?.defaultPoolId;
  const pool = row().pools.find((one) => one.id === id);
  if (pool === undefined) throw new Error(`no pool on port ${port}`);
  return pool;
}

function breakMonitor(port = 6443): string {
  const monitor = row().monitors.find(({ poolId }) => poolId === poolOn(port).id);
  if (monitor === undefined) throw new Error("no monitor");
  monitor.provisioningStatus = "ERROR";
  return monitor.id;
}

describe("a health monitor in ERROR", () => {
  test.each(["amphora", "ovn"])("is made again, on %s, and costs nobody a way in", (provider) => {
    start(provider);
    const broken = [breakMonitor(6443), breakMonitor(9345)];
    expect(kinds()).toEqual([["delete-monitor", "az2"]]);
    for (let round = 0; round < 30; round += 1) {
      world.round();
      expect(world.waysIn()).toBe(2);
    }
    expect(row().monitors.map(({ provisioningStatus }) => provisioningStatus)).toEqual(["ACTIVE", "ACTIVE"]);
    expect(row().monitors.filter(({ id }) => broken.includes(id))).toEqual([]);
  });

  test("is made again where our clock is a day behind, and the cloud tells no time", () => {
    breakMonitor();
    world.nowMs -= 86_400_000;
    expect(kinds()).toEqual([["delete-monitor", "az2"]]);
  });

  test("that fails each time it is made is made again with a pause in between, and said meanwhile", () => {
    breakMonitor();
    const gone: number[] = [];
    for (let round = 0; round < 60; round += 1) {
      const { actions, waits } = world.round();
      for (const { kind } of actions) if (kind === "delete-monitor") gone.push(world.nowMs);
      row().lb.updatedAt = actions.length > 0 ? new Date(world.nowMs).toISOString() : (row().lb.updatedAt ?? "");
      const there = row().monitors.find(({ poolId }) => poolId === poolOn(6443).id);
      if (there?.provisioningStatus === "ACTIVE") there.provisioningStatus = "ERROR";
      expect(actions.length + waits.length).toBeGreaterThan(0);
    }
    expect(gone.length).toBeGreaterThan(2);
    for (const [index, at] of gone.slice(1).entries()) expect(at - (gone[index] ?? 0)).toBeGreaterThanOrEqual(30_000);
  });

  test("leaves nobody to say who answers: unknown in status, no replacement for others, and records as they were", () => {
    row().lb.updatedAt = new Date(world.nowMs).toISOString();
    breakMonitor();
    const published = world.object.dnsEndpoint?.addresses;
    world.up.delete("10.6.2.1");
    world.setDeleting("cp-az1-1");
    for (let round = 0; round < 5; round += 1) {
      world.round();
      row().lb.updatedAt = new Date(world.nowMs).toISOString();
      expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1"]);
    }
    expect(world.object.dnsEndpoint?.addresses).toEqual(published);
    expect(world.status?.zones.map(({ health }) => health)).toEqual(["Healthy", "Unknown"]);
    expect(condition("MembersHealthy")).toMatchObject({ status: "Unknown" });
  });

  test("is said, while it cannot be made again", () => {
    row().lb.updatedAt = new Date(world.nowMs).toISOString();
    breakMonitor(9345);
    world.round();
    const message = expect.stringContaining(`health monitor ${zoneBalancerName("az2")}-9345: in ERROR`);
    expect(condition("LoadBalancersReady")).toMatchObject({ status: "False", reason: "LoadBalancerInError", message });
    expect(condition("Ready")).toMatchObject({ reason: "LoadBalancerInError", message });
  });

  test("stays with a pool in ERROR, below which Octavia changes nothing", () => {
    world.up.delete("10.6.1.1");
    breakMonitor();
    poolOn(6443).status = "ERROR";
    expect(kinds()).toEqual([]);
    expect(world.plan().refusals.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("no other way in is healthy"),
    );
  });

  test("keeps no cluster from beginning", () => {
    const begins = new CloudModel(zonesIntent(az));
    for (let round = 0; round < 20; round += 1) {
      for (const { monitors, lb } of begins.rows) {
        for (const monitor of monitors) monitor.provisioningStatus = "ERROR";
        lb.updatedAt = new Date(begins.nowMs).toISOString();
      }
      begins.round();
    }
    expect(begins.object.provisioned).toBe(true);
  });
});

describe("a part that is not ACTIVE below a balancer that is", () => {
  const parts: readonly (readonly [string, (status: "ERROR" | "PENDING_UPDATE") => void])[] = [
    ["listener", (status) => void Object.assign(row().listeners[1] ?? {}, { provisioningStatus: status })],
    ["pool", (status) => void (poolOn(9345).status = status)],
    ["health monitor", (status) => void Object.assign(row().monitors[1] ?? {}, { provisioningStatus: status })],
    ["member", (status) => void Object.assign(poolOn(9345).members[0] ?? {}, { provisioningStatus: status })],
  ];

  test.each(parts)("%s: ERROR makes it less than whole", (_part, set) => {
    set("ERROR");
    world.report();
    expect(condition("LoadBalancersReady")).toMatchObject({ status: "False" });
  });

  test.each(parts)("%s: PENDING is waited for; what lasts is said by name, and at last called stuck", (part, set) => {
    const began = world.nowMs;
    row().lb.updatedAt = new Date(began).toISOString();
    set("PENDING_UPDATE");
    const waits = () => world.plan().waits.filter(({ lane }) => lane?.part === "az2");
    expect(waits().map(({ reason }) => reason)).toEqual(["LoadBalancerPending"]);
    world.report();
    expect(condition("LoadBalancersReady")).toMatchObject({ status: "True" });
    world.nowMs = began + 120_000;
    world.report();
    expect(condition("LoadBalancersReady")).toMatchObject({
      status: "False",
      message: expect.stringMatching(new RegExp(`${part} .*PENDING_UPDATE`)),
    });
    world.nowMs = began + 901_000;
    expect(waits().map(({ reason }) => reason)).toEqual(["LoadBalancerStuck"]);
  });
});
