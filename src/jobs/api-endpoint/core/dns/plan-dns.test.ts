import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  machine,
  remapped,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { happen } from "../../../../../test/api-endpoint/model/endpoint-events.ts";

const az = ["az1", "az2", "az3"] as const;

function zoned(): CloudModel {
  const world = new CloudModel(zonesIntent(az, { publishDns: true }));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.nowMs += 60_000;
  return world;
}

const row = (world: CloudModel, zone: string) => world.row(zoneBalancerName(zone));
const published = (world: CloudModel) => world.object.dnsEndpoint?.addresses;
const addressOf = (world: CloudModel, zone: string) => {
  const { lb } = row(world, zone);
  return world.floatingIps.find(({ portId }) => portId === lb.vipPortId)?.address ?? "";
};
const addressesOf = (world: CloudModel, ...zones: readonly string[]) =>
  zones.map((zone) => addressOf(world, zone)).toSorted();

/** Looks for some minutes, each with the memory of the one before. */
function minutes(world: CloudModel, look: () => void = () => undefined): void {
  for (let seconds = 0; seconds < 180; seconds += 10) {
    world.round();
    look();
    world.nowMs += 5_000;
  }
}

test("a zone that is about to leave is looked at again when its time has come, and not within a second", () => {
  const world = zoned();
  world.up.delete("10.6.1.1");
  world.round();
  const begunMs = world.recorded.zones[0]?.dns?.badSinceMs ?? 0;
  const recheckAt = (ms: number) => {
    world.nowMs = begunMs + ms;
    return world.plan().waits.find(({ reason }) => reason === "ZoneLeavingDns")?.recheckAfterMs;
  };
  expect([recheckAt(5_000), recheckAt(14_900), recheckAt(15_000)]).toEqual([10_000, 1_000, undefined]);
});

describe("while Neutron is away", () => {
  test.each<readonly [string, readonly string[], (world: CloudModel) => void]>([
    ["that is bad leaves", ["az2", "az3"], (world) => world.up.delete("10.6.1.1")],
    ["that cannot be looked into stays", az, (world) => Object.assign(row(world, "az1"), { hidden: true })],
    ["that is whole stays", az, () => undefined],
  ])("a zone %s, and healthy ones keep their records", (_which, left, change) => {
    const world = zoned();
    const expected = addressesOf(world, ...left);
    world.neutronAway = true;
    change(world);
    minutes(world, () => expect(published(world)).toEqual(expect.arrayContaining(addressesOf(world, "az2", "az3"))));
    expect(published(world)).toEqual(expected);
    world.neutronAway = false;
    minutes(world);
    expect(published(world)).toEqual(expected);
  });

  test("zones stay in the records when nobody answers any more, and status says so of each", () => {
    const world = zoned();
    const expected = addressesOf(world, ...az);
    world.neutronAway = true;
    world.up.clear();
    minutes(world);
    expect(published(world)).toEqual(expected);
    expect(world.recorded.zones.map(({ dns }) => dns?.addresses.length)).toEqual([1, 1, 1]);
  });

  test("healthy zones keep their records although status forgot their addresses", () => {
    const world = zoned();
    const healthy = addressesOf(world, "az2", "az3");
    world.neutronAway = true;
    world.recorded = {
      ...world.recorded,
      zones: world.recorded.zones.map((entry) => ({ ...entry, address: undefined })),
    };
    world.up.delete("10.6.1.1");
    minutes(world);
    expect(published(world)).toEqual(healthy);
  });

  test.each<readonly [string, (world: CloudModel) => void]>([
    ["one is in ERROR", (world) => void (row(world, "az1").lb.provisioningStatus = "ERROR")],
    ["one is seen to serve", () => undefined],
  ])(
    "and status is lost, zones that cannot be looked into stay in the records when Neutron is back: %s",
    (_what, happens) => {
      const world = zoned();
      world.recorded = { zones: [], single: undefined, networkId: undefined };
      world.object.provisioned = false;
      world.neutronAway = true;
      for (const zone of ["az2", "az3"]) row(world, zone).hidden = true;
      happens(world);
      for (let looks = 0; looks < 3; looks += 1) world.round();
      world.neutronAway = false;
      world.round();
      expect(published(world)).toEqual(addressesOf(world, ...az));
    },
  );

  test("a balancer that stands in for zones that serve nobody stays in the records", () => {
    const world = zoned();
    const legacy = world.addFallback();
    const { address } = world.addFloatingIp({ portId: legacy.lb.vipPortId });
    for (const zone of az) row(world, zone).lb.adminStateUp = false;
    world.converge();
    expect(published(world)).toContain(address);
    world.neutronAway = true;
    minutes(world, () => expect(published(world)).toContain(address));
    world.neutronAway = false;
    row(world, "az2").lb.adminStateUp = true;
    minutes(world);
    expect(published(world)).toEqual([addressOf(world, "az2")]);
  });
});

describe("a zone in the records", () => {
  test("leaves while its listener or balancer is switched off, and stays while its balancer takes a change", () => {
    const world = zoned();
    const look = () => {
      world.report();
      world.nowMs += 60_000;
      world.report();
      return world.status?.dns.map(({ memory }) => memory.addresses.length);
    };
    row(world, "az2").lb.provisioningStatus = "PENDING_UPDATE";
    expect(look()).toEqual([1, 1, 1]);
    row(world, "az2").lb.provisioningStatus = "ACTIVE";
    for (const listener of row(world, "az2").listeners) listener.adminStateUp = false;
    expect(look()).toEqual([1, 0, 1]);
    for (const listener of row(world, "az2").listeners) listener.adminStateUp = true;
    expect(look()).toEqual([1, 1, 1]);
    Object.assign(row(world, "az2").lb, { adminStateUp: false, provisioningStatus: "PENDING_UPDATE" });
    expect(look()).toEqual([1, 0, 1]);
  });
});

describe("a balancer in ERROR whose members answer", () => {
  const fail = (world: CloudModel, ...zones: readonly string[]) => {
    for (const zone of zones) row(world, zone).lb.provisioningStatus = "ERROR";
  };
  const address = (zone: string) => `10.6.${zone.slice(2)}.1`;
  /** Nothing is mended meanwhile: only the records follow. */
  const looks = (world: CloudModel) => {
    for (let seconds = 0; seconds < 60; seconds += 5) {
      for (const action of world.plan().actions) if (action.kind === "apply-dns-endpoint") world.apply(action);
      world.report();
      world.nowMs += 5_000;
    }
  };

  test("leaves the records while others serve, and is back in them when the last of those dies", () => {
    const world = zoned();
    fail(world, "az3");
    looks(world);
    expect(published(world)).toEqual(addressesOf(world, "az1", "az2"));
    world.up.delete(address("az1"));
    looks(world);
    expect(published(world)).toEqual(addressesOf(world, "az2"));
    world.up.delete(address("az2"));
    looks(world);
    expect(published(world)).toEqual(addressesOf(world, "az3"));
    world.up.add(address("az1"));
    looks(world);
    expect(published(world)).toEqual(addressesOf(world, "az1"));
  });

  test.each([false, true])(
    "is published with all others of its kind when none is left that serves (Neutron away: %s)",
    (away) => {
      const world = zoned();
      world.neutronAway = away;
      for (const zone of az) {
        fail(world, zone);
        looks(world);
      }
      expect(published(world)).toEqual(addressesOf(world, ...az));
    },
  );

  test("does not come back where nobody answers behind it", () => {
    const world = zoned();
    fail(world, "az3");
    world.up.delete(address("az3"));
    looks(world);
    world.up.delete(address("az1"));
    world.up.delete(address("az2"));
    looks(world);
    expect(published(world)).toEqual(addressesOf(world, "az1", "az2"));
  });
});

describe("a member that answers and is nobody's", () => {
  test("does not keep its zone in the records: its Machine is gone, and it is taken out in a moment", () => {
    const world = zoned();
    world.machines = world.machines.filter(({ zone }) => zone !== "az2");
    for (let look = 0; look < 2; look += 1) {
      world.report();
      world.nowMs += 20_000;
    }
    expect(world.members(zoneBalancerName("az2"))).toHaveLength(1);
    expect(world.status?.dns.map(({ memory }) => memory.addresses.length)).toEqual([1, 0, 1]);
  });
});

describe("a balancer that is made again while Neutron is away", () => {
  const remade = () => {
    const world = zoned();
    const { lb } = row(world, "az1");
    const before = addressOf(world, "az1");
    world.neutronAway = true;
    world.rows = world.rows.filter((one) => one.lb.id !== lb.id);
    for (const one of world.floatingIps) if (one.address === before) delete one.portId;
    return { world, before };
  };

  test.each([0, 60_000])("is sent nobody by the address of the one before (gone for %s ms)", (goneMs) => {
    const { world } = remade();
    if (goneMs > 0) {
      world.report();
      world.nowMs += goneMs;
    }
    const others = addressesOf(world, "az2", "az3");
    for (let round = 0; round < 8; round += 1) world.round();
    world.intent = remapped(world.intent, (zones) => zones.slice(0, 1));
    minutes(world, () => expect(published(world)).toEqual(expect.arrayContaining(others)));
  });

  test("has the address of the one before when Neutron is back", () => {
    const { world, before } = remade();
    minutes(world);
    expect(world.status?.zones[0]).toMatchObject({ ip: before, ipDetached: true });
    expect(published(world)).toEqual(addressesOf(world, "az2", "az3"));
    world.neutronAway = false;
    minutes(world);
    expect(addressOf(world, "az1")).toBe(before);
    expect(world.status?.zones[0]?.ipDetached).toBeUndefined();
    expect(published(world)).toEqual(addressesOf(world, ...az));
  });
});

test("a zone whose only machine is on its way out replaces no zone that is removed in the same moment", () => {
  const world = zoned();
  const serving = addressesOf(world, "az1", "az2");
  world.setDeleting("cp-az3-1");
  world.intent = remapped(world.intent, (zones) => zones.slice(2));
  minutes(world, () => expect(published(world)).toEqual(expect.arrayContaining(serving)));
  world.join(machine("az3", 2));
  minutes(world);
  expect(published(world)).toEqual([addressOf(world, "az3")]);
});

describe("an object with a problem", () => {
  const problem = { where: "spec.apiServerLoadBalancer", message: "a typo", hint: "Correct it." };

  test("has true records nevertheless: a zone that dies leaves them, and is back when it answers", () => {
    const world = zoned();
    world.problems = [problem];
    world.up.delete("10.6.2.1");
    minutes(world);
    expect(published(world)).toEqual(addressesOf(world, "az1", "az3"));
    world.up.add("10.6.2.1");
    minutes(world);
    expect(published(world)).toEqual(addressesOf(world, ...az));
  });

  test.each([
    ["a mapping without one of its zones", () => zonesIntent(["az1", "az9"], { publishDns: true })],
    ["an endpoint that is no DNS name", () => zonesIntent(az, { publishDns: true, endpoint: { host: "", port: 0 } })],
    ["no wish for records", () => zonesIntent(az)],
  ])("keeps the records of every zone that it has, under their name, whatever else it says: %s", (_what, wish) => {
    const world = zoned();
    const before = world.object.dnsEndpoint;
    world.problems = [problem];
    world.intent = { ...wish(), location: world.intent.location };
    minutes(world, () => expect(world.object.dnsEndpoint).toEqual(before));
  });

  test("gives a duplicate no record, although it serves", () => {
    const world = zoned();
    const before = published(world);
    const duplicate = world.addBalancer(
      {
        name: zoneBalancerName("az1"),
        tags: ["mainstay-owner=0a1b2c3d-owner", "mainstay-zone=az1", "mainstay-role=zone"],
        vipAddress: "10.0.1.99",
        createdAt: "2027-01-01T00:00:00",
      },
      6443,
    );
    world.addMember(duplicate, `${zoneBalancerName("az1")}-6443-cp-az1-1`, "10.6.1.1");
    world.addFloatingIp({ portId: duplicate.lb.vipPortId });
    world.problems = [problem];
    minutes(world, () => expect(published(world)).toEqual(before));
  });

  test("drops a dark zone also when its status was lost, and the process began anew", () => {
    const world = zoned();
    world.problems = [{ where: "spec", message: "it cannot be", hint: "x" }];
    world.recorded = { zones: [], single: undefined, networkId: undefined };
    world.named = undefined;
    world.up.delete("10.6.3.1");
    minutes(world);
    expect(published(world)).toEqual(addressesOf(world, "az1", "az2"));
  });

  test("publishes nothing that was not", () => {
    const world = new CloudModel(zonesIntent(az));
    world.join(...az.map((zone) => machine(zone, 1)));
    world.converge();
    world.problems = [problem];
    world.intent = { ...world.intent, publishDns: true };
    minutes(world);
    expect(world.object.dnsEndpoint).toBeUndefined();
  });
});

test("the balancer that has become the only one stays in the records while nobody knows whether it serves", () => {
  const world = zoned();
  const kept = addressOf(world, "az1");
  happen(world, { do: "disable" });
  for (const one of world.machines) world.setDeleting(one.name);
  world.round();
  happen(world, { do: "hidden", pick: 1, on: true });
  happen(world, { do: "unwatch", pick: 0 });
  world.nowMs += 5_000;
  world.settle();
  minutes(world, () => expect(published(world)).toContain(kept));
});
