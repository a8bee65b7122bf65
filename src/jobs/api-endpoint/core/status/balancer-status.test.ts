import { expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  intent,
  machine,
  placesOf,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";

test("the entry of a zone says everything about its balancer, as the cloud has it", () => {
  const world = new CloudModel(zonesIntent(["az1"], { allowedCidrs: ["192.0.2.0/24"], tags: ["team=blue"] }));
  world.join(machine("az1", 1));
  world.converge();
  world.report();
  const { lb, listeners } = world.row(zoneBalancerName("az1"));
  expect(world.status?.zones).toEqual([
    {
      availabilityZone: "az1",
      name: zoneBalancerName("az1"),
      id: lb.id,
      ip: world.floatingIps[0]?.address,
      internalIP: lb.vipAddress,
      tags: lb.tags,
      allowedCIDRs: listeners[0]?.allowedCidrs,
      loadBalancerNetwork: {
        id: "net",
        name: "net",
        tags: [],
        subnets: [{ id: "sub-az1", name: "az1", cidr: "10.0.1.0/24", tags: [] }],
      },
      provisioningStatus: "ACTIVE",
      operatingStatus: lb.operatingStatus,
      health: "Healthy",
      members: { total: 1, healthy: 1 },
    },
  ]);
  expect(lb.tags).toContain("team=blue");
  expect(listeners[0]?.allowedCidrs).toContain("192.0.2.0/24");
});

test("a balancer that Octavia is to find a subnet for is shown with its network alone", () => {
  const world = new CloudModel(intent());
  world.places = known(placesOf([], { singleSubnet: undefined }));
  world.report();
  expect(world.status?.single?.loadBalancerNetwork).toEqual({ id: "net", name: "net", tags: [] });
});

test("the machines that do not answer are named, and only while there are some", () => {
  const world = new CloudModel(zonesIntent(["az1", "az2"], { crossZone: true }));
  for (const zone of ["az1", "az2"]) world.join(machine(zone, 1));
  world.converge();
  world.report();
  const healthy = { total: 2, healthy: 2 };
  expect(world.status?.zones.map(({ members }) => members)).toEqual([healthy, healthy]);
  for (const address of machine("az2", 1).addresses) world.up.delete(address);
  world.report();
  const withoutOne = { total: 2, healthy: 1, down: [machine("az2", 1).name] };
  expect(world.status?.zones.map(({ members }) => members)).toEqual([withoutOne, withoutOne]);
});

test("the health of a zone whose API listener or pool is in ERROR is not known, unless its probe is answered", () => {
  const world = new CloudModel(zonesIntent(["az1", "az2"]));
  for (const zone of ["az1", "az2"]) world.join(machine(zone, 1));
  world.converge();
  const shown = () => {
    world.report();
    return [world.status?.zones.map(({ health }) => health), world.status?.zonesServed];
  };
  for (const pool of world.row(zoneBalancerName("az1")).pools) pool.status = "ERROR";
  expect(shown()).toEqual([["Unknown", "Healthy"], "1/2"]);
  for (const listener of world.row(zoneBalancerName("az2")).listeners) listener.provisioningStatus = "ERROR";
  expect(shown()).toEqual([["Unknown", "Unknown"], "?/2"]);
  world.probes = new Map([[world.row(zoneBalancerName("az1")).lb.id, { failuresInARow: 0 }]]);
  expect(shown()).toEqual([["Healthy", "Unknown"], "1/2"]);
});
