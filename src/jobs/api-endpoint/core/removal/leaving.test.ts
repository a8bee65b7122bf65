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

/** Rounds in which everything is done but what the API server refuses. */
function roundsWithout(refused: "apply-dns-endpoint" | "delete-dns-endpoint", world: CloudModel, looks: number): void {
  for (let look = 0; look < looks; look += 1) {
    const plan = world.plan();
    for (const action of plan.actions) if (action.kind !== refused) world.apply(action);
    world.report(plan);
    world.settle();
  }
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
    roundsWithout("apply-dns-endpoint", world, 20);
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
    const { vipAddress } = world.row(zoneBalancerName("az3")).lb;
    expect(world.plan().actions).toContainEqual(
      expect.objectContaining({ kind: "delete-load-balancer", name: zoneBalancerName("az3"), vipAddress }),
    );
  });
});

describe("one that has left the records waits out its time whatever becomes of the others", () => {
  /** Three zones that we publish; az3's machine is down, az2 is in ERROR and has just left the records. */
  function leftInError(): { readonly world: CloudModel; readonly leftMs: number } {
    const world = zoned({ publishDns: true });
    world.up.delete("10.6.3.1");
    for (let looks = 0; looks < 10; looks += 1) world.round();
    world.row(zoneBalancerName("az2")).lb.provisioningStatus = "ERROR";
    const address = addressOf(world, zoneBalancerName("az2"));
    let leftMs = world.nowMs;
    for (; published(world).includes(address); world.round()) leftMs = world.nowMs;
    return { world, leftMs };
  }

  const torn = (world: CloudModel) =>
    world
      .plan()
      .actions.filter(({ kind }) => ["delete-load-balancer", "failover-load-balancer"].includes(kind))
      .map(({ lane }) => lane?.part);

  test.each<readonly [string, (world: CloudModel) => void]>([
    ["breaks", (world) => void (world.row(zoneBalancerName("az1")).lb.provisioningStatus = "ERROR")],
    ["loses its machine", (world) => void world.up.delete("10.6.1.1")],
    [
      "gets a listener in ERROR",
      (world) => {
        for (const one of world.row(zoneBalancerName("az1")).listeners) one.provisioningStatus = "ERROR";
      },
    ],
  ])("the only published one %s, and another is about to be published", (_what, happens) => {
    const { world, leftMs } = leftInError();
    world.up.add("10.6.3.1");
    happens(world);
    expect(torn(world)).toEqual([]);
    while (torn(world).length === 0 && world.nowMs - leftMs < 10 * lingerMs) world.round();
    expect(world.nowMs - leftMs).toBeGreaterThanOrEqual(lingerMs);
  });

  test("it is repaired in the end where no status remembers since when", () => {
    const { world } = leftInError();
    world.up.add("10.6.3.1");
    const said = new Set<string>();
    for (let looks = 0; looks < 20; looks += 1) {
      for (const { reason, message } of world.plan().waits)
        if (reason === "LoadBalancerInError") said.add(message ?? "");
      world.round();
      world.recorded = { ...world.recorded, leaving: [] };
    }
    expect(world.row(zoneBalancerName("az2")).lb.provisioningStatus).toBe("ACTIVE");
    expect([...said]).toHaveLength(1);
  });

  test("a removed zone goes in the end where no status remembers since when, also where others publish", () => {
    const world = zoned();
    world.intent = zonesIntent(["az1", "az2"]);
    for (let looks = 0; looks < 20; looks += 1) {
      world.round();
      world.recorded = { ...world.recorded, leaving: [] };
    }
    expect(isThere(world, zoneBalancerName("az3"))).toBe(false);
  });

  test("so does a fall-back that no record of ours ever named", () => {
    const world = zoned();
    const fallback = world.addFallback();
    world.addFloatingIp({ portId: fallback.lb.vipPortId });
    world.converge();
    world.intent = { ...world.intent, consents: { ...world.intent.consents, removeLegacy: true } };
    for (let looks = 0; looks < 20; looks += 1) {
      world.round();
      world.recorded = { ...world.recorded, leaving: [] };
    }
    expect(world.rows).not.toContain(fallback);
  });

  test("the time while Neutron is away and its address is not known does not count", () => {
    const { world } = leftInError();
    world.recorded = { ...world.recorded, zones: [], leaving: [] };
    world.named = undefined;
    world.object.dnsEndpoint = {
      host: "x",
      addresses: [...published(world), addressOf(world, zoneBalancerName("az2"))],
    };
    world.neutronAway = true;
    for (let looks = 0; looks < 20; looks += 1) {
      world.report();
      expect(world.recorded.leaving).toEqual([]);
      world.settle();
    }
  });
});

describe("one that has left the records, and whose repair is agreed to, waits out its time when nobody else serves any more", () => {
  /** Two zones that we publish, and a consent that was left behind; az1 is in ERROR and has just left the records. */
  function leftByConsent(consents: Partial<CloudModel["intent"]["consents"]>) {
    const world = new CloudModel(zonesIntent(["az1", "az2"], { publishDns: true }));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    world.intent = { ...world.intent, consents: { ...world.intent.consents, ...consents } };
    const { id } = world.row(zoneBalancerName("az1")).lb;
    world.row(zoneBalancerName("az1")).lb.provisioningStatus = "ERROR";
    const address = addressOf(world, zoneBalancerName("az1"));
    let leftMs = world.nowMs;
    for (; published(world).includes(address); world.round()) leftMs = world.nowMs;
    return { world, leftMs, address, isThere: () => world.rows.some(({ lb }) => lb.id === id) };
  }

  const otherFails = (world: CloudModel) => void (world.row(zoneBalancerName("az2")).lb.provisioningStatus = "ERROR");
  const otherDies = (world: CloudModel) => void world.up.delete("10.6.2.1");

  test.each<readonly [string, Partial<CloudModel["intent"]["consents"]>, (world: CloudModel) => void]>([
    ["the other breaks", { repair: true }, otherFails],
    ["the other breaks, and its zone was named", { repairZones: ["az1"] }, otherFails],
    ["the other's machine dies", { repair: true }, otherDies],
  ])("%s", (_what, consents, happens) => {
    const { world, leftMs, isThere: isOldThere } = leftByConsent(consents);
    happens(world);
    while (isOldThere() && world.nowMs - leftMs < 10 * lingerMs) world.round();
    expect(isOldThere()).toBe(false);
    expect(world.nowMs - leftMs).toBeGreaterThanOrEqual(lingerMs);
  });

  test("it is put back meanwhile, and none goes before resolvers know both", () => {
    const { world, address } = leftByConsent({ repair: true });
    otherFails(world);
    const balancers = () => world.ours().map(({ lb }) => lb.id);
    const before = balancers();
    world.round();
    expect(published(world)).toContain(address);
    const backMs = world.nowMs;
    while (balancers().join() === before.join() && world.nowMs - backMs < 10 * lingerMs) world.round();
    expect(world.nowMs - backMs).toBeGreaterThanOrEqual(lingerMs);
    expect(world.ours()).toHaveLength(1);
    world.converge();
    expect([published(world).length, world.ours().map(({ lb }) => lb.provisioningStatus)]).toEqual([
      2,
      ["ACTIVE", "ACTIVE"],
    ]);
  });

  test("it says until when, in the same words every time", () => {
    const { world } = leftByConsent({ repair: true });
    otherFails(world);
    const said = () =>
      world
        .plan()
        .waits.filter(({ lane }) => lane?.part === "az1")
        .map(({ message }) => message);
    expect(said()).toEqual([expect.stringContaining("it is rebuilt when they have been the same for 45 s")]);
    world.round();
    world.round();
    const first = said();
    expect(first).toEqual([
      expect.stringMatching(/^.*-az1-kubeapi: in ERROR, and no other that serves .*; it is rebuilt at 2026-01-01T/),
    ]);
    world.round();
    expect(said()).toEqual(first);
  });

  test("a restart makes that longer, never shorter", () => {
    const { world, leftMs, isThere: isOldThere } = leftByConsent({ repair: true });
    otherDies(world);
    world.round();
    world.named = undefined;
    while (isOldThere() && world.nowMs - leftMs < 10 * lingerMs) world.round();
    expect(isOldThere()).toBe(false);
    expect(world.nowMs - leftMs).toBeGreaterThanOrEqual(lingerMs);
  });
});

test("a dead balancer keeps its VIP, which we published, until nobody can remember it, also across a restart", () => {
  const world = zoned({ publishDns: true, floatingIp: { ...zonesIntent(az).floatingIp, enabled: false } });
  const name = zoneBalancerName("az3");
  const { vipAddress } = world.row(name).lb;
  expect(published(world)).toContain(vipAddress);
  world.intent = zonesIntent(["az1", "az2"], { publishDns: true, floatingIp: world.intent.floatingIp });
  world.up.delete("10.6.3.1");
  let leftMs = world.nowMs;
  for (; published(world).includes(vipAddress); world.round()) leftMs = world.nowMs;
  world.named = undefined;
  while (isThere(world, name)) world.round();
  expect(world.nowMs - leftMs).toBeGreaterThanOrEqual(lingerMs);
});

describe("no floating IP is released while a record of ours names it, or a resolver may remember it", () => {
  const hasAddress = (world: CloudModel, wanted: string) => world.floatingIps.some(({ address }) => address === wanted);

  test.each<readonly [string, (world: CloudModel) => void]>([
    ["whose machine is dead", (world) => void world.up.delete("10.6.3.1")],
    [
      "whose machine goes with it",
      (world) => world.leave(world.machines.find(({ zone }) => zone === "az3")?.name ?? ""),
    ],
    [
      "whose balancer is in ERROR, and its members are said to be",
      (world) => {
        world.up.delete("10.6.3.1");
        world.row(zoneBalancerName("az3")).lb.provisioningStatus = "ERROR";
      },
    ],
    [
      "whose balancer somebody deleted",
      (world) => void (world.rows = world.rows.filter(({ lb }) => lb.name !== zoneBalancerName("az3"))),
    ],
  ])("of a removed zone %s", (_which, happens) => {
    const world = zoned({ publishDns: true });
    const address = addressOf(world, zoneBalancerName("az3"));
    world.intent = zonesIntent(["az1", "az2"], { publishDns: true });
    happens(world);
    // The DNSEndpoint cannot be written for a while.
    roundsWithout("apply-dns-endpoint", world, 20);
    expect(published(world)).toContain(address);
    expect(hasAddress(world, address)).toBe(true);
    let leftMs = world.nowMs;
    for (; published(world).includes(address); world.round()) leftMs = world.nowMs;
    // A restart: what the process remembered is lost.
    world.named = undefined;
    while (hasAddress(world, address) && world.nowMs - leftMs < 10 * lingerMs) world.round();
    expect(hasAddress(world, address)).toBe(false);
    expect(world.nowMs - leftMs).toBeGreaterThanOrEqual(lingerMs);
  });

  test("of a removed zone, where we stop to publish in the same moment", () => {
    const world = zoned({ publishDns: true });
    const address = addressOf(world, zoneBalancerName("az3"));
    world.intent = zonesIntent(["az1", "az2"]);
    world.up.delete("10.6.3.1");
    let leftMs = world.nowMs;
    for (; published(world).includes(address); world.round()) leftMs = world.nowMs;
    while (hasAddress(world, address)) world.round();
    expect(world.nowMs - leftMs).toBeGreaterThanOrEqual(lingerMs);
  });

  test("of a removed zone that serves nobody, where others publish what there should be", () => {
    const world = zoned();
    const address = addressOf(world, zoneBalancerName("az3"));
    world.intent = zonesIntent(["az1", "az2"]);
    world.up.delete("10.6.3.1");
    const leftMs = world.nowMs;
    while (hasAddress(world, address)) world.round();
    expect(world.nowMs - leftMs).toBeGreaterThanOrEqual(lingerMs);
  });

  test.each([true, false])(
    "of a removed zone, while a DNSEndpoint that lost our mark names it (we publish: %s)",
    (publishDns) => {
      const world = zoned({ publishDns: true });
      const address = addressOf(world, zoneBalancerName("az3"));
      const { dnsEndpoint: unmarked, ...object } = world.object;
      world.object = { ...object, foreignDnsEndpoint: { addresses: unmarked?.addresses ?? [] } };
      world.intent = zonesIntent(["az1", "az2"], { publishDns });
      world.up.delete("10.6.3.1");
      for (let looks = 0; looks < 40; looks += 1) world.round();
      expect([hasAddress(world, address), isThere(world, zoneBalancerName("az3"))]).toEqual([true, true]);
      expect(world.plan().waits.map(({ message }) => message)).toContain(
        `${zoneBalancerName("az3")}: it goes when the DNS records have not named it for 45 s: DNSEndpoint default/demo does, which does not bear our mark and is left alone; take ${address} out of it`,
      );
      world.object = { ...world.object, foreignDnsEndpoint: { addresses: [] } };
      const leftMs = world.nowMs;
      while (hasAddress(world, address) && world.nowMs - leftMs < 10 * lingerMs) world.round();
      expect(hasAddress(world, address)).toBe(false);
      expect(world.nowMs - leftMs).toBeGreaterThanOrEqual(lingerMs);
    },
  );

  test("of a balancer that somebody deleted, while a DNSEndpoint that lost our mark names it", () => {
    const world = zoned({ publishDns: true });
    const address = addressOf(world, zoneBalancerName("az3"));
    const { dnsEndpoint: unmarked, ...object } = world.object;
    world.object = { ...object, foreignDnsEndpoint: { addresses: unmarked?.addresses ?? [] } };
    world.intent = zonesIntent(["az1", "az2"], { publishDns: true });
    world.rows = world.rows.filter(({ lb }) => lb.name !== zoneBalancerName("az3"));
    for (let looks = 0; looks < 40; looks += 1) world.round();
    expect(hasAddress(world, address)).toBe(true);
    expect(world.plan().waits.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(
        /^floating IP .*: it is released when .* 45 s: DNSEndpoint default\/demo does, .*take \S+ out/,
      ),
    );
  });

  test("but a DNSEndpoint without our mark, which would go with the object or never, holds up no deletion", () => {
    const world = zoned({ publishDns: true });
    const { dnsEndpoint: unmarked, ...object } = world.object;
    world.object = { ...object, foreignDnsEndpoint: { addresses: unmarked?.addresses ?? [] } };
    world.intent = { ...world.intent, deleting: true };
    world.machines = [];
    world.converge();
    expect([world.ours(), world.floatingIps, world.object.hasFinalizer]).toEqual([[], [], false]);
  });

  test("of a cluster that is deleted, while its DNSEndpoint cannot be", () => {
    const world = zoned({ publishDns: true });
    world.intent = { ...world.intent, deleting: true };
    world.machines = [];
    roundsWithout("delete-dns-endpoint", world, 10);
    expect([world.ours().length, world.floatingIps.length]).toEqual([0, 3]);
    expect(world.plan().waits.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^floating IP .*: it is released when the DNSEndpoint no longer names it$/),
    );
    world.converge();
    expect(world.floatingIps).toEqual([]);
  });

  test("nor is a VIP, where nothing else leads to the balancers of a cluster that is deleted", () => {
    const { floatingIp } = zonesIntent(az);
    const world = zoned({ publishDns: true, floatingIp: { ...floatingIp, enabled: false } });
    const vips = world.ours().map(({ lb }) => lb.vipAddress);
    expect(published(world)).toEqual(vips.toSorted());
    world.intent = { ...world.intent, deleting: true };
    world.machines = [];
    roundsWithout("delete-dns-endpoint", world, 20);
    expect(world.ours().map(({ lb }) => lb.vipAddress)).toEqual(vips);
    expect(world.plan().waits.map(({ message }) => message)).toContain(
      `${zoneBalancerName("az1")}: it goes when the DNSEndpoint no longer names it`,
    );
    world.round();
    expect(published(world)).toEqual([]);
    // Not 45 s later: nobody is to come any more.
    world.round();
    expect(world.ours()).toEqual([]);
    world.converge();
    expect(world.object.hasFinalizer).toBe(false);
  });
});
