// Which addresses are asked while the cloud shows its balancers, and which while it does not.

import { beforeEach, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zoneBalancerName, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
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
