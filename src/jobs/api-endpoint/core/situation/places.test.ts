import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  intent,
  machine,
  nodeSubnet,
  placesOf,
  subnetOf,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import type { Found, Places } from "../model/observed.ts";

const az = ["az1", "az2"] as const;
const elsewhere = { found: "one", value: subnetOf("az4") } as const;
const nowhere = { found: "none", message: "no subnet matches" } as const;

function leadingTo(found: Found<ReturnType<typeof subnetOf>>): Places {
  return placesOf(az, { zoneSubnets: new Map([...placesOf(az).zoneSubnets, ["az1", found]]) });
}

/** Where its balancers go is written down, and none has been made. */
function recorded(world: CloudModel): CloudModel {
  world.report();
  expect(world.plan().actions.map(({ kind }) => kind)).toContain("create-load-balancer");
  return world;
}

function zoned(): CloudModel {
  const world = new CloudModel(zonesIntent(az));
  world.join(...az.map((zone) => machine(zone, 1)));
  return world;
}

const subnetIn = (world: CloudModel, zone: string) => world.row(zoneBalancerName(zone)).lb.vipSubnetId;

describe("a mapping that is corrected before its balancer was ever made", () => {
  test("counts: the new place is written down, and then the balancer is made there", () => {
    const world = recorded(zoned());
    world.places = known(leadingTo(elsewhere));
    expect(world.plan().waits.map(({ reason, lane }) => [reason, lane?.part])).toEqual([["PlaceUnrecorded", "az1"]]);
    world.converge();
    expect([subnetIn(world, "az1"), subnetIn(world, "az2")]).toEqual(["sub-az4", "sub-az2"]);
    expect(world.plan().refusals).toEqual([]);
  });

  test("and that leads nowhere stops its own zone, whatever it led to before", () => {
    const world = recorded(zoned());
    world.places = known(leadingTo(nowhere));
    world.converge();
    expect(world.rows.map(({ lb }) => lb.name)).toEqual([zoneBalancerName("az2")]);
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({ reason: "SubnetUnresolved", lane: { part: "az1" } }),
    );
  });

  test("lets two zones exchange their subnets", () => {
    const world = recorded(zoned());
    const exchanged = new Map(
      az.map((zone, at) => [zone, { found: "one", value: subnetOf(az[1 - at] ?? "") } as const]),
    );
    world.places = known(placesOf(az, { zoneSubnets: exchanged }));
    world.converge();
    expect([subnetIn(world, "az1"), subnetIn(world, "az2")]).toEqual(["sub-az2", "sub-az1"]);
  });

  test("counts for the single balancer, too", () => {
    const world = recorded(new CloudModel(intent()));
    const other = { ...nodeSubnet, id: "sub-other", cidr: "10.7.0.0/16" };
    world.places = known(placesOf([], { singleSubnet: { found: "one", value: other } }));
    world.converge();
    expect(world.rows.map(({ lb }) => lb.vipSubnetId)).toEqual(["sub-other"]);
  });
});

describe("a place that is written down", () => {
  test("waits for Neutron before the first balancer: the mapping may have been corrected since", () => {
    const world = recorded(zoned());
    world.places = { known: false, reason: "OpenStackServerError", message: "neutron: 503" };
    const { actions, waits, refusals } = world.plan();
    expect([actions, refusals, waits.map(({ reason, lane }) => [lane?.part, reason])]).toEqual([
      [],
      [],
      az.map((zone) => [zone, "OpenStackServerError"]),
    ]);
    world.places = known(leadingTo(elsewhere));
    world.settle();
    world.converge();
    expect(subnetIn(world, "az1")).not.toBe("sub-az1");
  });

  test.each([
    ["leads elsewhere", elsewhere],
    ["leads nowhere", nowhere],
  ])("holds for a balancer that is made again: its VIP comes back, although the mapping %s", (_, found) => {
    const world = zoned();
    world.converge();
    const { id, vipAddress } = world.row(zoneBalancerName("az1")).lb;
    world.places = known(leadingTo(found));
    world.rows = world.rows.filter(({ lb }) => lb.id !== id);
    world.settle();
    world.converge();
    expect(world.row(zoneBalancerName("az1")).lb).toMatchObject({ vipSubnetId: "sub-az1", vipAddress });
  });
});
