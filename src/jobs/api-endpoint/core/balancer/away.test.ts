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

function agree(): void {
  world.intent = { ...world.intent, consents: { ...world.intent.consents, repair: true } };
}

const takenDown = () =>
  world
    .plan()
    .actions.filter(({ because }) => because === "LoadBalancerInError")
    .map(({ kind, lane }) => `${kind} ${lane?.part}`);

describe("while one of three is away, another in ERROR that may serve stays, whoever agreed", () => {
  test.each<readonly [string, () => void]>([
    ["it is gone", () => world.rows.splice(world.rows.indexOf(row("az1")), 1)],
    ["it is being made", () => (row("az1").lb.provisioningStatus = "PENDING_CREATE")],
    ["it is failed over", () => (row("az1").lb.provisioningStatus = "PENDING_UPDATE")],
    ["nothing is on it yet", () => Object.assign(row("az1"), { listeners: [], pools: [], monitors: [] })],
    ["it has no listener", () => (row("az1").listeners = [])],
    ["it has no pool", () => Object.assign(row("az1"), { pools: [], monitors: [] })],
    ["it has no health monitor", () => (row("az1").monitors = [])],
    ["nobody stands behind it", () => Object.assign(row("az1").pools[0] ?? {}, { members: [] })],
    ["what is on it cannot be read", () => (row("az1").hidden = true)],
  ])("%s", (_how, change) => {
    fail("az2");
    change();
    expect(takenDown()).toEqual([]);
    agree();
    expect(takenDown()).toEqual([]);
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({
        message: `${zoneBalancerName("az2")}: in ERROR, and it is not rebuilt because ${zoneBalancerName("az1")} is being made again, and two do not go at a time`,
      }),
    );
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
          `nobody answers behind ${zoneBalancerName("az1")}, which was made minutes ago`,
        ),
      }),
    );
    world.up.add("10.6.1.1");
    world.converge();
    expect(world.rows.map(({ lb }) => lb.provisioningStatus)).toEqual(["ACTIVE", "ACTIVE", "ACTIVE"]);
  });
});

describe("while nobody answers behind one of three, another in ERROR that may serve waits for somebody to agree", () => {
  const dead = `${zoneBalancerName("az2")}: in ERROR, and it is not rebuilt because nobody answers behind ${zoneBalancerName("az1")}, and two do not go at a time; annotate mainstay.dev/repair=true to agree`;

  beforeEach(() => world.up.delete("10.6.1.1"));

  test("its machine was dead before", () => {
    fail("az2");
    expect(takenDown()).toEqual([]);
    expect(world.plan().refusals).toContainEqual(expect.objectContaining({ message: dead }));
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
    expect(world.plan().refusals).toContainEqual(expect.objectContaining({ message: dead }));
    agree();
    expect(takenDown()).toEqual(["delete-load-balancer az2"]);
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
        message: `${zoneBalancerName("az1")}: in ERROR, and it is not failed over because no other way in is healthy; annotate mainstay.dev/repair=true to agree`,
      }),
    );
    agree();
    expect(takenDown()).toEqual(["failover-load-balancer az1"]);
  });
});
