import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import type { BalancerRow } from "../../../../../test/api-endpoint/model/cloud-rows.ts";
import {
  capoDescription,
  intent,
  legacyName,
  machine,
  tcpPorts,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";

const theirs = { name: "team-x", tags: ["team-x"] };
const inError = { provisioningStatus: "ERROR" as const };

/** What another team puts on a balancer of ours, with nobody behind it. */
function addTheirs(row: BalancerRow, port: number, over: Partial<BalancerRow["listeners"][number]> = {}): void {
  const [listener] = row.listeners;
  const [pool] = row.pools;
  if (listener === undefined || pool === undefined) throw new Error("nothing to copy from");
  row.listeners.push({ ...listener, ...theirs, id: "theirs", port, defaultPoolId: "their-pool", ...over });
  row.pools.push({ ...pool, ...theirs, id: "their-pool", members: [] });
}

const theirParts = ({ listeners, pools, monitors }: BalancerRow) => ({
  listeners: listeners.filter(({ id }) => id === "theirs").map(({ name, tags }) => ({ name, tags })),
  pools: pools.filter(({ id }) => id === "their-pool").map(({ name, tags, members }) => ({ name, tags, members })),
  monitors: monitors.filter(({ poolId }) => poolId === "their-pool"),
});

const untouched = { listeners: [theirs], pools: [{ ...theirs, members: [] }], monitors: [] };

describe("a listener that others put on our balancer", () => {
  let world: CloudModel;
  const first = (): BalancerRow => world.row(zoneBalancerName("az1"));

  beforeEach(() => {
    world = new CloudModel(zonesIntent(["az1", "az2"]));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
  });

  test.each([
    ["serves", {}],
    ["is in ERROR", inError],
  ])(
    "keeps its port, name, tags and pool when we are asked for that port and when no longer, and it is said: it %s",
    (_how, over) => {
      addTheirs(first(), 8132, over);
      world.intent = { ...world.intent, additionalPorts: tcpPorts(8132) };
      world.converge();
      expect(theirParts(first())).toEqual(untouched);
      expect(world.members(zoneBalancerName("az2"), 8132)).toEqual(["10.6.2.1"]);
      expect(world.plan().refusals).toEqual([
        {
          reason: "PortTaken",
          lane: { part: "az1" },
          message: `${zoneBalancerName("az1")}: port 8132 is taken by TCP listener team-x, which is not ours, so it stays; delete it, and ours is made in its place, or choose another port`,
        },
      ]);
      world.intent = { ...world.intent, additionalPorts: [] };
      world.converge();
      expect(theirParts(first())).toEqual(untouched);
      expect(world.plan().refusals).toEqual([]);
    },
  );

  test("holds up nothing on the ports beside it", () => {
    addTheirs(first(), 8132, inError);
    world.intent = { ...world.intent, additionalPorts: tcpPorts(8132, 9345) };
    world.join(machine("az1", 2));
    world.converge();
    expect([6443, 9345].map((port) => world.members(zoneBalancerName("az1"), port))).toEqual([
      ["10.6.1.1", "10.6.1.2"],
      ["10.6.1.1", "10.6.1.2"],
    ]);
  });

  test.each(["UDP", "SCTP"])("keeps its number beside ours when it is %s, and nothing is said", (protocol) => {
    addTheirs(first(), 8132, { protocol });
    world.intent = { ...world.intent, additionalPorts: tcpPorts(8132) };
    world.converge();
    expect(theirParts(first())).toEqual(untouched);
    expect(first().listeners.map((one) => [one.port, one.protocol])).toEqual([
      [6443, "TCP"],
      [8132, protocol],
      [8132, "TCP"],
    ]);
    expect(world.plan().refusals).toEqual([]);
    world.intent = { ...world.intent, additionalPorts: [] };
    world.converge();
    expect(theirParts(first())).toEqual(untouched);
    expect(first().listeners).toHaveLength(2);
  });

  test("makes room for ours when they delete it", () => {
    addTheirs(first(), 8132);
    world.intent = { ...world.intent, additionalPorts: tcpPorts(8132) };
    world.converge();
    first().listeners = first().listeners.filter(({ id }) => id !== "theirs");
    world.converge();
    expect(world.members(zoneBalancerName("az1"), 8132)).toEqual(["10.6.1.1"]);
    expect(first().pools.map(({ id }) => id)).toContain("their-pool");
  });

  test.each(["ACTIVE", "ERROR"] as const)(
    "a pool of theirs behind our listener stays theirs, and our listener ours (%s)",
    (status) => {
      const [listener] = first().listeners;
      const [pool] = first().pools;
      if (listener === undefined || pool === undefined) throw new Error("nothing there");
      first().pools.push({ ...pool, ...theirs, id: "their-pool", status, members: [] });
      Object.assign(listener, { defaultPoolId: "their-pool", allowedCidrs: ["192.0.2.0/24"] });
      world.converge();
      expect(theirParts(first()).pools).toEqual(untouched.pools);
      expect(theirParts(first()).monitors).toEqual([]);
      expect(first().listeners.map(({ allowedCidrs }) => allowedCidrs)).toEqual([[]]);
      expect(world.plan().refusals).toContainEqual({
        reason: "PortTaken",
        lane: { part: "az1" },
        message: `${zoneBalancerName("az1")}: port 6443 leads to pool team-x, which is not ours, so it stays; delete it, and ours is made in its place`,
      });
    },
  );
});

test("a listener with our mark on the API's number that is no port of ours goes alone: the API port keeps its listener and pool", () => {
  const world = new CloudModel(zonesIntent(["az1"]));
  world.join(machine("az1", 1));
  world.converge();
  const row = world.row(zoneBalancerName("az1"));
  const [listener] = row.listeners;
  if (listener === undefined) throw new Error("nothing to copy from");
  const { defaultPoolId: _, ...withoutPool } = listener;
  row.listeners.push({ ...withoutPool, id: "over-udp", protocol: "UDP" });
  world.converge();
  expect(row.listeners.map(({ id }) => id)).toEqual([listener.id]);
  expect(world.members(zoneBalancerName("az1"), 6443)).toEqual(["10.6.1.1"]);
  expect(world.waysIn()).toBe(1);
});

test("what CAPO named on a balancer that was adopted is ours, on the API port and on the others", () => {
  const world = new CloudModel(intent({ additionalPorts: tcpPorts(9345) }));
  const row = world.addBalancer({ name: legacyName, description: capoDescription, vipSubnetId: "sub-az1" }, 6443);
  const [listener] = row.listeners;
  const [pool] = row.pools;
  if (listener === undefined || pool === undefined) throw new Error("nothing there");
  const capos = { name: `${legacyName}-9345`, tags: [] };
  row.pools.push({ ...pool, ...capos, id: "capo-pool", members: [] });
  row.listeners.push({ ...listener, ...capos, id: "capo-listener", port: 9345, defaultPoolId: "capo-pool" });
  world.intent = { ...world.intent, consents: { ...world.intent.consents, adoptLegacy: true } };
  world.join(machine("az1", 1));
  world.converge();
  expect(row.listeners.map(({ port, tags }) => [port, tags.includes("mainstay-role=listener")])).toEqual([
    [6443, true],
    [9345, true],
  ]);
  expect([6443, 9345].map((port) => world.members(legacyName, port))).toEqual([["10.6.1.1"], ["10.6.1.1"]]);
  expect(world.plan().refusals).toEqual([]);
});
