import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  amphora,
  machine,
  remapped,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";

const az = ["az1", "az2", "az3"] as const;
let world: CloudModel;

beforeEach(() => {
  world = new CloudModel(zonesIntent(az));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.nowMs += 600_000;
});

const row = (zone: string) => world.row(zoneBalancerName(zone));
const stamp = () => new Date(world.nowMs).toISOString().slice(0, 19);

function fail(...zones: readonly string[]): void {
  for (const zone of zones) Object.assign(row(zone).lb, { provisioningStatus: "ERROR", updatedAt: stamp() });
}

/** To all in turn, or for these alone, whatever the others are. */
function agree(...repairZones: readonly string[]): void {
  const repair = repairZones.length === 0;
  world.intent = { ...world.intent, consents: { ...world.intent.consents, repair, repairZones } };
}

const takenDown = () =>
  world
    .plan()
    .actions.filter(({ because, kind }) => because === "LoadBalancerInError" && kind !== "delete-monitor")
    .map(({ kind, lane }) => `${kind} ${lane?.part}`);

const unfinished: readonly (readonly [string, () => void])[] = [
  ["is being made again", () => world.rows.splice(world.rows.indexOf(row("az1")), 1)],
  ["is PENDING_CREATE", () => (row("az1").lb.provisioningStatus = "PENDING_CREATE")],
  ["is PENDING_UPDATE", () => (row("az1").lb.provisioningStatus = "PENDING_UPDATE")],
  ["has no listener on the API port", () => Object.assign(row("az1"), { listeners: [], pools: [], monitors: [] })],
  ["has no listener on the API port", () => (row("az1").listeners = [])],
  ["has no pool on the API port", () => Object.assign(row("az1"), { pools: [], monitors: [] })],
  ["has no health monitor on the API port", () => (row("az1").monitors = [])],
  [
    "has its listener on the API port switched off",
    () => Object.assign(row("az1").listeners[0] ?? {}, { adminStateUp: false }),
  ],
  [
    "has its pool on the API port switched off",
    () => Object.assign(row("az1").pools[0] ?? {}, { adminStateUp: false }),
  ],
  ["has a health monitor in ERROR", () => Object.assign(row("az1").monitors[0] ?? {}, { provisioningStatus: "ERROR" })],
  ["has no machines", () => Object.assign(row("az1").pools[0] ?? {}, { members: [] })],
  ["cannot be looked into", () => (row("az1").hidden = true)],
];

const held = (why: string, remedy = "") =>
  expect.objectContaining({
    message: `${zoneBalancerName("az2")}: in ERROR, and it is not rebuilt because ${zoneBalancerName("az1")} ${why}, and only one is taken down at a time${remedy}`,
  });

describe("while one of three is away, another in ERROR that may serve stays, whoever agreed", () => {
  test.each(unfinished)("it %s", (why, change) => {
    fail("az2");
    change();
    expect(takenDown()).toEqual([]);
    agree();
    expect(takenDown()).toEqual([]);
    expect(world.plan().refusals).toContainEqual(held(why));
  });

  test("it was made again since, and nobody answers behind it", () => {
    fail("az1", "az2");
    agree();
    world.round();
    world.up.delete("10.6.1.1");
    for (let round = 0; round < 40; round += 1) world.round();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1"]);
    expect(row("az2").lb.provisioningStatus).toBe("ERROR");
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({
        message: expect.stringContaining(
          `nobody answers behind ${zoneBalancerName("az1")} yet, and only one is taken down at a time`,
        ),
      }),
    );
    world.up.add("10.6.1.1");
    world.converge();
    expect(world.rows.map(({ lb }) => lb.provisioningStatus)).toEqual(["ACTIVE", "ACTIVE", "ACTIVE"]);
  });
});

describe("one that is back without its address is away", () => {
  const lost = () => {
    const { vipPortId } = row("az1").lb;
    world.floatingIps = world.floatingIps.filter(({ portId }) => portId !== vipPortId);
  };

  test("and another in ERROR stays, also where somebody agrees, until somebody names it after an hour", () => {
    fail("az2");
    lost();
    agree();
    expect(takenDown()).toEqual([]);
    expect(world.plan().refusals).toContainEqual(held("has no floating IP"));
    world.report();
    world.nowMs += 3_600_001;
    expect(takenDown()).toEqual([]);
    agree("az2");
    expect(takenDown()).toEqual(["delete-load-balancer az2"]);
  });

  test("as far as anybody can see while Neutron is away", () => {
    fail("az2");
    world.recorded = { ...world.recorded, zones: [], single: undefined };
    world.neutronAway = true;
    agree();
    expect(takenDown()).toEqual([]);
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({
        message: expect.stringContaining(`whether ${zoneBalancerName("az1")} has its floating IP cannot be seen`),
      }),
    );
  });
});

describe("what was taken down holds up the others until people come through it again, however long the trouble has lasted", () => {
  const breaks: readonly (readonly [string, () => void])[] = [
    ["is rebuilt", () => fail(...az)],
    [
      "is failed over",
      () => {
        world.capabilities = known({ ...amphora, refused: [] });
        fail(...az);
      },
    ],
    ["gets a new pool", () => az.forEach((zone) => Object.assign(row(zone).pools[0] ?? {}, { status: "ERROR" }))],
  ];

  test.each(breaks)("%s", (_how, breakAll) => {
    breakAll();
    world.report();
    world.nowMs += 7_200_000;
    agree();
    world.round();
    // Nobody answers behind it yet.
    world.up.delete("10.6.1.1");
    const first = world.awaySince?.get(zoneBalancerName("az1"));
    expect(first?.wasTakenDown).toBe(true);
    for (let rounds = 0; rounds < 100; rounds += 1) {
      world.round();
      expect(world.waysIn()).toBe(2);
    }
    world.up.add("10.6.1.1");
    world.converge();
    expect(world.waysIn()).toBe(3);
  });

  test("also after a restart right after that", () => {
    fail(...az);
    world.report();
    world.nowMs += 7_200_000;
    agree();
    world.round();
    world.up.delete("10.6.1.1");
    for (let rounds = 0; rounds < 10; rounds += 1) world.round();
    world.awaySince = undefined;
    row("az1").lb.updatedAt = stamp();
    for (let rounds = 0; rounds < 60; rounds += 1) {
      world.round();
      expect(world.waysIn()).toBe(2);
    }
  });
});

describe("while nobody answers behind one of three, another in ERROR that may serve waits for somebody to agree", () => {
  const dead = (remedy: string) =>
    expect.objectContaining({
      message: `${zoneBalancerName("az2")}: in ERROR, and it is not rebuilt because nobody answers behind ${zoneBalancerName("az1")}, and only one is taken down at a time; ${remedy}`,
    });

  beforeEach(() => world.up.delete("10.6.1.1"));

  test("its machine was dead before", () => {
    fail("az2");
    expect(takenDown()).toEqual([]);
    expect(world.plan().refusals).toContainEqual(dead("annotate mainstay.dev/repair=true to agree"));
    agree();
    expect(takenDown()).toEqual(["delete-load-balancer az2"]);
    expect(world.plan().refusals).toContainEqual(expect.objectContaining({ reason: "RepairAgreed" }));
  });

  test("it was made again, whatever Octavia stamps on the one in ERROR since", () => {
    fail("az1", "az2");
    for (let round = 0; round < 40; round += 1) world.round();
    world.nowMs += 600_000;
    fail("az2");
    expect(row("az1").lb.provisioningStatus).toBe("ACTIVE");
    expect(takenDown()).toEqual([]);
    agree();
    expect(takenDown()).toEqual([]);
    expect(world.plan().refusals).toContainEqual(dead("annotate mainstay.dev/repair=az2 to agree for this zone"));
    agree("az2");
    expect(takenDown()).toEqual(["delete-load-balancer az2"]);
  });

  test("the same after a restart, hours later: the consent may be older than that", () => {
    fail("az1", "az2");
    world.nowMs += 3_600_000;
    for (let round = 0; round < 40; round += 1) world.round();
    world.nowMs += 3_600_000;
    world.awaySince = undefined;
    agree();
    expect(takenDown()).toEqual([]);
  });

  test("it is switched off", () => {
    world.up.add("10.6.1.1");
    row("az1").lb.adminStateUp = false;
    fail("az2");
    expect(takenDown()).toEqual([]);
  });
});

describe("a zone holds up no other for ever", () => {
  test("that has no machine", () => {
    world.leave("cp-az1-1");
    world.converge();
    fail("az2");
    expect(takenDown()).toEqual(["delete-load-balancer az2"]);
  });

  test.each(unfinished)("that %s for an hour, where somebody agrees for this zone", (why, change) => {
    fail("az2");
    change();
    world.report();
    world.nowMs += 3_600_001;
    for (const { lb } of world.rows) lb.updatedAt = stamp();
    expect(takenDown()).toEqual([]);
    agree();
    expect(takenDown()).toEqual([]);
    const remedy = "; annotate mainstay.dev/repair=az2 to agree for this zone";
    expect(world.plan().refusals).toContainEqual(held(why, remedy));
    agree("az3");
    expect(takenDown()).toEqual([]);
    agree("az2");
    expect(takenDown()).toEqual(["delete-load-balancer az2"]);
  });

  test.each(unfinished.slice(1))("that %s, and nothing has happened to it for a quarter of an hour", (_why, change) => {
    fail("az2");
    change();
    agree("az2");
    row("az1").lb.updatedAt = stamp();
    world.report();
    world.nowMs += 899_000;
    expect(takenDown()).toEqual([]);
    world.nowMs += 1_000;
    expect(takenDown()).toEqual(["delete-load-balancer az2"]);
  });

  test.each<readonly [string, () => unknown, number]>([
    ["cannot be looked into, after a quarter of an hour", () => (row("az1").hidden = true), 900_000],
    ["is being made again, after an hour", () => world.rows.splice(world.rows.indexOf(row("az1")), 1), 3_600_000],
  ])("and a consent for another by name is seen, and says when it counts: one that %s", (_what, change, afterMs) => {
    fail("az2");
    change();
    world.report();
    for (const { lb } of world.rows) lb.updatedAt = stamp();
    agree("az2");
    const beganMs = world.nowMs;
    const said = () => world.plan().refusals.find(({ lane }) => lane?.part === "az2")?.message ?? "";
    const [, at = ""] =
      /; agreed for az2: it goes at (\S+), or before that when \S+-az1-kubeapi is back$/.exec(said()) ?? [];
    expect(Date.parse(at) - beganMs).toBeGreaterThanOrEqual(afterMs);
    expect(Date.parse(at) - beganMs).toBeLessThan(afterMs + 60_000);
    const first = said();
    world.nowMs += 300_123;
    expect([said(), takenDown()]).toEqual([first, []]);
    world.nowMs = Date.parse(at);
    expect(takenDown()).toEqual(["delete-load-balancer az2"]);
  });

  test("and so it is where nobody answers yet behind one that was made again", () => {
    fail("az1", "az2");
    world.up.delete("10.6.1.1");
    for (let round = 0; round < 40; round += 1) world.round();
    fail("az2");
    agree("az2");
    const said = () => world.plan().refusals.find(({ lane }) => lane?.part === "az2")?.message ?? "";
    const [, at = ""] = /yet, .*; agreed for az2: it goes at (\S+), or before/.exec(said()) ?? [];
    expect(Date.parse(at) - world.nowMs).toBeLessThan(660_000);
    world.nowMs = Date.parse(at) - 61_000;
    expect(takenDown()).toEqual([]);
    world.nowMs = Date.parse(at);
    expect(takenDown()).toEqual(["delete-load-balancer az2"]);
  });

  test("that cannot be made, while more others serve than are missing; else it has to leave the mapping", () => {
    world.intent = remapped(world.intent, (zones) => [...zones, { zone: "az4", subnet: { id: "sub-nowhere" } }]);
    fail("az2");
    expect(takenDown()).toEqual(["delete-load-balancer az2"]);
    fail("az3");
    agree();
    expect(takenDown()).toEqual([]);
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("take its zone out of the mapping") }),
    );
    agree("az2");
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("mapping; agreed for az2: that counts then") }),
    );
    world.intent = remapped(world.intent, (zones) => zones.slice(0, 3));
    expect(takenDown()).toEqual(["delete-load-balancer az2"]);
  });
});

describe("the only one of three that the DNS records name, in ERROR and serving", () => {
  const address = (zone: string) =>
    world.floatingIps.find(({ portId }) => portId === row(zone).lb.vipPortId)?.address ?? "";
  const published = () => world.object.dnsEndpoint?.addresses ?? [];

  beforeEach(() => {
    world = new CloudModel(zonesIntent(az, { publishDns: true }));
    world.join(...az.map((zone) => machine(zone, 1)));
    world.converge();
    world.nowMs += 600_000;
    for (const zone of ["1", "2"]) world.up.delete(`10.6.${zone}.1`);
    for (let round = 0; round < 10; round += 1) world.round();
  });

  test.each<readonly [string, () => void]>([
    ["it is rebuilt", () => fail("az3")],
    [
      "it is failed over",
      () => {
        world.capabilities = known({ ...amphora, refused: [] });
        fail("az3");
      },
    ],
    [
      "its pool is made again",
      () => {
        for (const pool of row("az3").pools) pool.status = "ERROR";
      },
    ],
  ])("is taken down when another was published, and the records have not named it for 45 s: %s", (_how, breakIt) => {
    expect(published()).toEqual([address("az3")]);
    breakIt();
    for (let round = 0; round < 10; round += 1) world.round();
    expect([takenDown(), published()]).toEqual([[], [address("az3")]]);
    for (const zone of ["1", "2"]) world.up.add(`10.6.${zone}.1`);
    const before = address("az3");
    let outMs: number | undefined;
    for (let round = 0; round < 60 && takenDown().length === 0; round += 1) {
      const { nowMs } = world;
      world.round();
      if (!published().includes(before)) outMs ??= nowMs;
    }
    expect(takenDown()).toHaveLength(1);
    expect(published()).toEqual([address("az1"), address("az2")].toSorted());
    expect(world.nowMs - (outMs ?? world.nowMs)).toBeGreaterThanOrEqual(45_000);
  });

  test("says meanwhile that no other is in the records", () => {
    fail("az3");
    for (const zone of ["1", "2"]) world.up.add(`10.6.${zone}.1`);
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("because no other way in is in the DNS records") }),
    );
  });
});

describe("a failover interrupts, and is counted as a rebuild", () => {
  beforeEach(() => {
    world.capabilities = known({ ...amphora, refused: [] });
  });

  test("of several in ERROR, one is failed over, and the next when that is over", () => {
    fail("az1", "az2");
    expect(takenDown()).toEqual(["failover-load-balancer az1"]);
    for (const action of world.plan().actions) world.apply(action);
    expect(takenDown()).toEqual([]);
    world.settle();
    expect(takenDown()).toEqual(["failover-load-balancer az2"]);
  });

  test("the last that may serve is failed over by consent alone", () => {
    fail(...az);
    expect(takenDown()).toEqual([]);
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({
        message: `${zoneBalancerName("az1")}: in ERROR, and it is not failed over (or rebuilt, if the cloud allows no failover) because no other way in is healthy; annotate mainstay.dev/repair=true to agree`,
      }),
    );
    agree();
    expect(takenDown()).toEqual(["failover-load-balancer az1"]);
  });
});
