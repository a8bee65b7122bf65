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
import type { Found, Places, RecordedBalancer } from "../model/observed.ts";
import { placeOf } from "./places.ts";

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

describe("the single balancer goes", () => {
  const none = { found: "none", message: "no subnet matches" } as const;
  const unnamed = { found: "none", message: "no network matches" } as const;
  const placed = (over: Partial<Places>, single?: RecordedBalancer) => {
    const observed = new CloudModel(intent()).observe();
    const places = known(placesOf([], over));
    return placeOf({ ...observed, places, recorded: { ...observed.recorded, single } }, undefined);
  };
  const before = { id: "lb-1", name: "b", address: undefined, internalAddress: "10.6.0.9", networkId: "net" } as const;

  test("into the subnet that the selector leads to, and is made when that is written down", () => {
    const place = { subnetId: "sub-nodes", networkId: "net", cidr: nodeSubnet.cidr, recorded: false };
    expect(placed({})).toEqual({ place });
    const { id: _, internalAddress: __, ...written } = { ...before, subnetId: "sub-nodes" };
    const recorded = { ...written, id: undefined, internalAddress: undefined };
    expect(placed({}, recorded)).toEqual({ place: { ...place, recorded: true } });
  });

  test("into the network alone where no subnet is asked for: Octavia picks one", () => {
    const place = { subnetId: undefined, networkId: "net", cidr: undefined, recorded: false };
    expect(placed({ singleSubnet: undefined })).toEqual({ place });
    const recorded = { ...before, id: undefined, internalAddress: undefined, subnetId: undefined };
    expect(placed({ singleSubnet: undefined }, recorded)).toEqual({ place: { ...place, recorded: true } });
  });

  test("into its subnet's network where no network is named", () => {
    expect(placed({ clusterNetwork: undefined })).toMatchObject({ place: { subnetId: "sub-nodes", networkId: "net" } });
    expect(placed({ clusterNetwork: unnamed })).toMatchObject({ place: { subnetId: "sub-nodes", networkId: "net" } });
  });

  test("where its VIP was, whatever the selector leads to now, and nobody knows that subnet's addresses", () => {
    const was = { ...before, subnetId: "sub-before" };
    const place = { subnetId: "sub-before", networkId: "net", cidr: undefined, recorded: true };
    expect(placed({}, was)).toEqual({ place });
    expect(placed({ singleSubnet: none }, was)).toEqual({ place });
  });

  test.each<readonly [string, string, Partial<Places>]>([
    ["SubnetUnresolved", "spec.apiServerLoadBalancer.subnets[0]: no subnet matches", { singleSubnet: none }],
    [
      "SubnetNotInNetwork",
      "subnet sub-nodes is in network other, not in net",
      { singleSubnet: { found: "one", value: { ...nodeSubnet, networkId: "other" } } },
    ],
    ["NetworkUnresolved", "spec.network: no network matches", { singleSubnet: undefined, clusterNetwork: unnamed }],
    ["NetworkUnresolved", "spec.network: nothing says which", { singleSubnet: undefined, clusterNetwork: undefined }],
  ])("nowhere (%s): %s", (reason, message, over) => {
    expect(placed(over)).toEqual({ refusal: { reason, message } });
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
