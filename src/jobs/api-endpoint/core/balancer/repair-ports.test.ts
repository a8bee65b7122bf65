import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import type { BalancerRow } from "../../../../../test/api-endpoint/model/cloud-rows.ts";
import {
  intent,
  legacyName,
  machine,
  placesOf,
  tcpPorts,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { planEndpoint } from "../plan.ts";

let world: CloudModel;
const row = (): BalancerRow => world.row(legacyName);

beforeEach(() => {
  world = new CloudModel(intent({ additionalPorts: tcpPorts(9345) }));
  world.join(...[1, 2, 3].map((number) => machine("az1", number)));
  world.converge();
  world.nowMs += 600_000;
});

type Part = "listener" | "pool";

function breakPart(part: Part, port: number): void {
  const listener = row().listeners.find((one) => one.port === port);
  const pool = row().pools.find(({ id }) => id === listener?.defaultPoolId);
  if (listener === undefined || pool === undefined) throw new Error(`nothing on port ${port}`);
  if (part === "listener") listener.provisioningStatus = "ERROR";
  else pool.status = "ERROR";
}

/** One machine after the other: the new one comes, the old one goes. Not quiet for ever, so a number of rounds each. */
function rollOut(afterEachRound: () => void): void {
  const rounds = () => {
    for (let round = 0; round < 12; round += 1) {
      world.round();
      afterEachRound();
    }
  };
  for (const number of [1, 2, 3]) {
    world.join(machine("az1", number + 3));
    rounds();
    const old = machine("az1", number);
    world.setDeleting(old.name);
    rounds();
    world.leave(old.name);
    for (const address of old.addresses) world.up.delete(address);
    rounds();
  }
}

describe("a part in ERROR on a balancer that is the only way in", () => {
  const parts: readonly Part[] = ["listener", "pool"];
  const all = ["10.6.1.1", "10.6.1.2", "10.6.1.3"];
  const fresh = ["10.6.1.4", "10.6.1.5", "10.6.1.6"];

  test.each(parts)(
    "is made again without anybody's consent on a side port, and the API port serves all the time: a %s",
    (part) => {
      breakPart(part, 9345);
      for (let round = 0; round < 20; round += 1) {
        world.round();
        expect(world.waysIn()).toBe(1);
      }
      expect([6443, 9345].map((port) => world.members(legacyName, port))).toEqual([all, all]);
      expect(world.plan()).toMatchObject({ actions: [], refusals: [] });
    },
  );

  test.each(parts)(
    "on a side port never costs the API port its machines, also when it fails each time it is made: a %s",
    (part) => {
      rollOut(() => {
        for (const listener of row().listeners) {
          if (listener.port !== 9345) continue;
          const pool = row().pools.find(({ id }) => id === listener.defaultPoolId);
          if (part === "listener") listener.provisioningStatus = "ERROR";
          else if (pool !== undefined) pool.status = "ERROR";
        }
        expect(world.waysIn()).toBe(1);
      });
      expect(world.members(legacyName)).toEqual(fresh);
    },
  );

  test.each(parts)("on the API port waits for consent, and side ports follow the machines meanwhile: a %s", (part) => {
    breakPart(part, 6443);
    rollOut(() => undefined);
    expect(world.members(legacyName, 9345)).toEqual(fresh);
    expect(world.members(legacyName)).toEqual(all);
    expect(world.plan().refusals).toContainEqual({
      reason: "LoadBalancerInError",
      lane: { part: expect.any(String) },
      message: `${part} ${legacyName}-6443: in ERROR, and it is not made again because no other way in is healthy; annotate mainstay.dev/repair=true to agree`,
    });
    world.intent = { ...world.intent, consents: { ...world.intent.consents, repair: true } };
    world.converge();
    expect(world.members(legacyName)).toEqual(fresh);
  });
});

test("a part in ERROR on the API port is made again where another way in serves, and nothing is refused", () => {
  world = new CloudModel(zonesIntent(["az1", "az2"]));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  world.nowMs += 600_000;
  Object.assign(world.row(zoneBalancerName("az1")).pools[0] ?? {}, { status: "ERROR" });
  const { actions, refusals } = world.plan();
  expect([actions.map(({ kind }) => kind), refusals]).toEqual([["delete-pool"], []]);
});

test("a pool that is in ERROR and speaks another protocol, too, is named once", () => {
  breakPart("pool", 6443);
  const [listener] = row().listeners;
  const pool = row().pools.find(({ id }) => id === listener?.defaultPoolId);
  Object.assign(pool ?? {}, { protocol: "PROXY" });
  const messages = world.plan().refusals.map(({ message }) => message);
  expect(messages.filter((words) => words.startsWith(`pool ${pool?.name}: `))).toEqual([
    expect.stringContaining(": in ERROR, and it is not made again because"),
  ]);
});

describe("a part in ERROR on the API port of one zone of two, which we publish", () => {
  const parts: readonly Part[] = ["listener", "pool"];
  const zone = (name: string) => world.row(zoneBalancerName(name));
  const address = () => world.floatingIps.find(({ portId }) => portId === zone("az2").lb.vipPortId)?.address ?? "";
  const published = () => world.object.dnsEndpoint?.addresses ?? [];
  const isTornDown = () =>
    world.round().actions.some(({ kind, because }) => kind !== "create-listener" && because === "LoadBalancerInError");

  beforeEach(() => {
    world = new CloudModel(zonesIntent(["az1", "az2"], { publishDns: true }));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    world.nowMs += 600_000;
  });

  function breakIn(name: string, part: Part): void {
    for (const listener of zone(name).listeners) if (part === "listener") listener.provisioningStatus = "ERROR";
    for (const pool of zone(name).pools) if (part === "pool") pool.status = "ERROR";
  }

  test.each(parts)("is made again when nobody remembers the zone, and the zone is back then: a %s", (part) => {
    expect(published()).toContain(address());
    breakIn("az2", part);
    expect(world.plan().waits).toContainEqual(
      expect.objectContaining({
        reason: "LoadBalancerInError",
        message: `${zoneBalancerName("az2")}: ${part} ${zoneBalancerName("az2")}-6443: in ERROR; it is made again when the DNS records have not named the balancer for 45 s`,
      }),
    );
    let outMs: number | undefined;
    for (let round = 0; round < 60; round += 1) {
      if (!published().includes(address())) outMs ??= world.nowMs;
      if (isTornDown()) break;
    }
    expect(world.nowMs - (outMs ?? world.nowMs)).toBeGreaterThanOrEqual(45_000);
    world.converge();
    expect(published()).toContain(address());
    expect(world.members(zoneBalancerName("az2"))).toEqual(["10.6.2.1"]);
    expect(world.status?.leaving).toEqual([]);
  });

  test.each(parts)("waits for consent where the other zone is as doubtful, and both stay published: a %s", (part) => {
    breakIn("az1", part);
    breakIn("az2", part);
    for (let round = 0; round < 40; round += 1) expect(isTornDown()).toBe(false);
    expect(published()).toHaveLength(2);
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("annotate mainstay.dev/repair=true to agree") }),
    );
  });

  test.each(parts)("is made again one after the other where both are and somebody agrees: a %s", (part) => {
    breakIn("az1", part);
    breakIn("az2", part);
    world.intent = { ...world.intent, consents: { ...world.intent.consents, repair: true } };
    for (let round = 0; round < 60; round += 1) {
      world.round();
      expect([zone("az1"), zone("az2")].some(({ pools }) => pools.some(({ members }) => members.length > 0))).toBe(
        true,
      );
    }
    world.converge();
    expect([zone("az1"), zone("az2")].flatMap(({ pools }) => pools.map(({ status }) => status))).toEqual([
      "ACTIVE",
      "ACTIVE",
    ]);
  });
});

test("a pool in ERROR that its listener does not name yet gets no second one beside it", () => {
  breakPart("pool", 9345);
  const observed = world.observe();
  if (!observed.balancers.known) throw new Error("unseen");
  const balancers = observed.balancers.value.map((seen) => ({
    ...seen,
    listeners: seen.listeners.map(({ defaultPoolId: _, ...listener }) => listener),
  }));
  const plan = planEndpoint({ ...observed, balancers: known(balancers) }, world.nowMs);
  expect(plan.actions.map(({ kind }) => kind)).toEqual(["delete-pool"]);
});

test("a pool in ERROR is made again before a new port's listener, where its monitor is in the way of that", () => {
  world = new CloudModel(intent({ provider: "ovn", additionalPorts: tcpPorts(9345) }));
  world.join(machine("az1", 1));
  world.converge();
  breakPart("pool", 9345);
  world.intent = { ...world.intent, additionalPorts: tcpPorts(8132, 9345) };
  world.converge();
  expect([6443, 8132, 9345].map((port) => world.members(legacyName, port))).toEqual([
    ["10.6.1.1"],
    ["10.6.1.1"],
    ["10.6.1.1"],
  ]);
  expect(row().pools.map(({ status }) => status)).toEqual(["ACTIVE", "ACTIVE", "ACTIVE"]);
});

test.each([6443, 9345])(
  "a part in ERROR on a fall-back stays, since it would not be made again, and is said: port %i",
  (port) => {
    world.intent = zonesIntent(["az1"], { additionalPorts: tcpPorts(9345) });
    world.places = known(placesOf(["az1"]));
    world.converge();
    expect(row().lb.tags).toContain("mainstay-role=fallback");
    breakPart("pool", port);
    world.join(machine("az1", 4));
    world.converge();
    expect(
      row()
        .pools.map(({ status }) => status)
        .toSorted(),
    ).toEqual(["ACTIVE", "ERROR"]);
    expect(world.members(legacyName, port === 6443 ? 9345 : 6443)).toContain("10.6.1.4");
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({
        reason: "LoadBalancerInError",
        message: `pool ${legacyName}-${port}: in ERROR, and it is not made again because the legacy balancer only stays until its removal is agreed`,
      }),
    );
  },
);
