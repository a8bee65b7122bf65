import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  dnsEndpoint,
  intent,
  legacyName,
  machine,
  remapped,
  tcpPorts,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";

const az = ["az1", "az2"] as const;
const az1 = zoneBalancerName("az1");

function zoned(): CloudModel {
  const world = new CloudModel(zonesIntent(az, { publishDns: true, additionalPorts: tcpPorts(9345) }));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  return world;
}

const rounds = (world: CloudModel, count: number) => {
  for (let round = 0; round < count; round += 1) world.round();
};
const names = (world: CloudModel) => world.ours().map(({ lb }) => lb.name);

describe("a balancer that is to go, and may not go yet, follows the machines", () => {
  test("of a removed zone, while no other way in is healthy; and goes when one is", () => {
    const world = zoned();
    world.up.delete("10.6.2.1");
    world.converge();
    world.intent = remapped(world.intent, (zones) => zones.slice(1));
    world.converge();
    world.join(machine("az1", 2));
    world.converge();
    for (const port of [6443, 9345]) expect(world.members(az1, port)).toEqual(["10.6.1.1", "10.6.1.2"]);
    world.setDeleting("cp-az1-1");
    world.converge();
    expect(world.members(az1)).toEqual(["10.6.1.2"]);
    expect(world.plan().refusals.map(({ reason }) => reason)).toContain("LastHealthyEndpoint");
    world.up.add("10.6.2.1");
    world.converge();
    expect(names(world)).toEqual([zoneBalancerName("az2")]);
  });

  test("of a removed zone, while it serves those who remember it, and while Neutron is away", () => {
    const world = zoned();
    world.intent = remapped(world.intent, (zones) => zones.slice(1));
    rounds(world, 2);
    world.join(machine("az1", 2));
    rounds(world, 2);
    expect(world.members(az1)).toEqual(["10.6.1.1", "10.6.1.2"]);
    world.neutronAway = true;
    world.setDeleting("cp-az1-1");
    rounds(world, 20);
    expect(world.members(az1)).toEqual(["10.6.1.2"]);
    world.neutronAway = false;
    world.converge();
    expect(names(world)).toEqual([zoneBalancerName("az2")]);
  });

  test("of zones that were switched off, while the kept one does not serve everybody that it serves", () => {
    const world = zoned();
    world.intent = intent({ endpoint: dnsEndpoint, additionalPorts: tcpPorts(9345) });
    while (!names(world).includes(legacyName)) world.round();
    world.row(legacyName).hidden = true;
    world.join(machine("az2", 2));
    rounds(world, 5);
    expect(world.members(zoneBalancerName("az2"))).toEqual(["10.6.2.1", "10.6.2.2"]);
    world.row(legacyName).hidden = false;
    world.converge();
    expect(names(world)).toEqual([legacyName]);
    expect(world.members(legacyName)).toEqual(["10.6.1.1", "10.6.2.1", "10.6.2.2"]);
  });

  test("but a duplicate that nobody stands behind gets nobody", () => {
    const world = zoned();
    const duplicate = world.addBalancer(
      {
        name: az1,
        tags: ["mainstay-owner=0a1b2c3d-owner", "mainstay-zone=az1", "mainstay-role=zone"],
        vipAddress: "10.0.1.99",
        createdAt: "2027-01-01T00:00:00",
      },
      6443,
    );
    world.neutronAway = true;
    rounds(world, 5);
    expect(duplicate.pools[0]?.members).toEqual([]);
    world.neutronAway = false;
    world.converge();
    expect(world.ours()).toHaveLength(2);
  });
});
