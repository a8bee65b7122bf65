// Which addresses are asked while the cloud shows its balancers, and which while it does not.

import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zoneBalancerName, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { EndpointObserved, RecordedZone } from "../model/observed.ts";
import { probeTargets } from "./probe-targets.ts";

const az = ["az1", "az2"];
let world: CloudModel;

beforeEach(() => {
  world = new CloudModel(zonesIntent(az));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.probes = new Map(world.rows.map(({ lb }, index) => [lb.id, { failuresInARow: 2 * index }]));
  world.report();
});

const targets = () => probeTargets(world.observe()).toSorted((a, b) => (a.address < b.address ? -1 : 1));

test("they are the same, each once, whether the cloud shows the balancers or not", () => {
  const seen = targets();
  expect(seen.map(({ recordedFailures }) => recordedFailures)).toEqual([0, 2]);
  expect(seen.map(({ address }) => address)).toEqual(world.floatingIps.map(({ address }) => address).toSorted());
  world.octaviaAway = true;
  expect(targets()).toEqual(seen);
  world.unreachable = { known: false, reason: "OpenStackNotAuthenticated", message: "token: wrong password" };
  expect(targets()).toEqual(seen);
});

test("an address that was not on the balancer when last seen is not asked", () => {
  const zones = world.recorded.zones.map((entry) =>
    entry.zone === "az1" ? { ...entry, isAddressDetached: true } : entry,
  );
  world.recorded = { ...world.recorded, zones, single: undefined };
  world.octaviaAway = true;
  expect(targets()).toHaveLength(1);
});

test("without floating IPs it is the VIP", () => {
  const zones = world.recorded.zones.map(({ address: _, ...entry }) => ({ ...entry, address: undefined }));
  world.recorded = { ...world.recorded, zones, single: undefined };
  world.octaviaAway = true;
  expect(targets()).toEqual([]);
  world.intent = { ...world.intent, floatingIp: { ...world.intent.floatingIp, enabled: false } };
  expect(targets().map(({ address }) => address)).toEqual(
    az.map((zone) => world.row(zoneBalancerName(zone)).lb.vipAddress).toSorted(),
  );
});

test("one below which nobody can look after a restart is asked on where it was asked before", () => {
  const row = world.row(zoneBalancerName("az2"));
  row.hidden = true;
  row.listeners = [];
  expect(targets()).toHaveLength(2);
});

test.each([
  ["paused", () => Object.assign(world.object, { paused: true })],
  ["being deleted", () => Object.assign(world, { intent: { ...world.intent, deleting: true } })],
])("nobody asks for an object that is %s", (_state, change) => {
  world.octaviaAway = true;
  change();
  expect(targets()).toEqual([]);
});

function zoned(over: Parameters<typeof zonesIntent>[1] = {}): CloudModel {
  const world = new CloudModel(zonesIntent(az, over));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  return world;
}

const row = (world: CloudModel, zone = "az1") => world.row(zoneBalancerName(zone));
const addressOf = (world: CloudModel, zone: string) =>
  world.floatingIps.find(({ portId }) => portId === row(world, zone).lb.vipPortId)?.address;
const addresses = (world: CloudModel) => probeTargets(world.observe()).map(({ address }) => address);

describe("probed is", () => {
  test("each balancer's address on the API port", () => {
    const world = zoned();
    expect(probeTargets(world.observe())).toMatchObject(
      az.map((zone) => ({ balancerId: row(world, zone).lb.id, address: addressOf(world, zone), port: 6443 })),
    );
    const internal = zoned({ floatingIp: { enabled: false, address: undefined } });
    expect(addresses(internal)).toEqual(az.map((zone) => row(internal, zone).lb.vipAddress));
  });

  test.each<readonly [string, (world: CloudModel) => void]>([
    ["that is being made", (world) => void (row(world).lb.provisioningStatus = "PENDING_CREATE")],
    ["that is being deleted", (world) => void (row(world).lb.provisioningStatus = "PENDING_DELETE")],
    ["that somebody switched off", (world) => void (row(world).lb.adminStateUp = false)],
    [
      "whose listener is switched off",
      (world) => Object.assign(row(world).listeners[0] ?? {}, { adminStateUp: false }),
    ],
    [
      "that has no address yet",
      (world) => {
        const own = addressOf(world, "az1");
        world.floatingIps = world.floatingIps.filter(({ address }) => address !== own);
      },
    ],
    ["that is not ours by tag", (world) => void (row(world).lb.tags = [])],
  ])("none %s", (_which, change) => {
    const world = zoned();
    change(world);
    expect(addresses(world)).toEqual([addressOf(world, "az2")]);
  });

  test.each(["PENDING_UPDATE", "ERROR"] as const)("one in %s: it may serve", (status) => {
    const world = zoned();
    row(world).lb.provisioningStatus = status;
    expect(addresses(world)).toHaveLength(2);
  });
});

describe("what status remembers of a probe", () => {
  const failures = (over: Partial<RecordedZone>, wish: Parameters<typeof zonesIntent>[1] = {}) => {
    const observed: EndpointObserved = zoned(wish).observe();
    const zones = observed.recorded.zones.map((entry) => (entry.zone === "az1" ? { ...entry, ...over } : entry));
    return probeTargets({ ...observed, recorded: { ...observed.recorded, zones } })[0]?.recordedFailures;
  };

  test.each([
    ["Answered", 0],
    ["FailedOnce", 1],
    ["Failed", 2],
  ] as const)("%s counts as %i failures in a row", (probe, count) => {
    expect(failures({ probe })).toBe(count);
  });

  test("counts for a VIP as for a floating IP", () => {
    expect(failures({ probe: "Failed" }, { floatingIp: { enabled: false, address: undefined } })).toBe(2);
  });

  test("counts for no other address, for no other balancer, and where it says nothing for none", () => {
    expect(failures({ probe: "Failed", address: "203.0.113.200" })).toBeUndefined();
    expect(failures({ probe: "Failed", id: "lb-before" })).toBeUndefined();
    expect(failures({})).toBeUndefined();
  });
});
