// Probed are the addresses of our balancers that should serve, and what status remembers counts for the very same address.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zoneBalancerName, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { EndpointObserved, RecordedZone } from "../model/observed.ts";
import { probeTargets } from "./probe-targets.ts";

const az = ["az1", "az2"] as const;

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

  test("nothing of an object that goes, or that is not ours to act for, or while nobody sees balancers", () => {
    const world = zoned();
    world.intent = { ...world.intent, deleting: true };
    expect(addresses(world)).toEqual([]);
    world.intent = { ...world.intent, deleting: false };
    world.octaviaAway = true;
    expect(addresses(world)).toEqual([]);
    world.octaviaAway = false;
    world.object.paused = true;
    expect(addresses(world)).toEqual([]);
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
