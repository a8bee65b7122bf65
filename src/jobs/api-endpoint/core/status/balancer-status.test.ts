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
