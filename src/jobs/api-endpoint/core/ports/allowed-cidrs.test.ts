import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  amphora,
  machine,
  placesOf,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { allowedCidrs } from "./allowed-cidrs.ts";

const places = placesOf([], { bastionAddresses: ["10.6.0.250", "203.0.113.9"] });

describe("allowed CIDRs", () => {
  test("an empty list lets everybody in and adds nothing", () => {
    expect(allowedCidrs([], places, 4)).toEqual({ cidrs: [], refusals: [] });
  });

  test("a list is masked, sorted, each once, and joined by node subnets, router addresses and the bastion", () => {
    expect(allowedCidrs(["192.0.2.77/24", "192.0.2.0/24", "198.51.100.1"], places, 4).cidrs).toEqual([
      "10.6.0.0/16",
      "10.6.0.250/32",
      "192.0.2.0/24",
      "198.51.100.1/32",
      "203.0.113.7/32",
      "203.0.113.9/32",
    ]);
  });

  test("each family keeps to its own, and says what it left out", () => {
    const { cidrs, refusals } = allowedCidrs(["2001:db8::1/32", "192.0.2.0/24", "nonsense"], places, 6);
    expect(cidrs).toEqual(["2001:db8::/32"]);
    expect(refusals.map(({ reason }) => reason)).toEqual(["AllowedCidrIgnored", "AllowedCidrIgnored"]);
  });

  test("a list of which nothing is left never becomes everybody", () => {
    expect(
      allowedCidrs(["nonsense"], placesOf([], { clusterSubnets: [], routerAddresses: [] }), 4).cidrs,
    ).toBeUndefined();
    const world = new CloudModel(zonesIntent(["az1"], { allowedCidrs: ["nonsense"] }));
    world.places = known(placesOf(["az1"], { clusterSubnets: [], routerAddresses: [] }));
    for (let round = 0; round < 10; round += 1) world.round();
    expect(world.row(zoneBalancerName("az1")).listeners).toEqual([]);
  });

  test("a list that lacks a place of the machines is not known", () => {
    const many = { found: "many", message: "2 networks fit" } as const;
    for (const over of [
      { clusterNetwork: many },
      { clusterNetwork: undefined, network: many },
      { clusterUnresolved: ["2 subnets fit"] },
    ])
      expect(allowedCidrs(["192.0.2.0/24"], placesOf([], over), 4).cidrs).toBeUndefined();
  });

  test("a host bit that Octavia masks away is no drift", () => {
    const world = new CloudModel(zonesIntent(["az1"], { allowedCidrs: ["192.0.2.77/24"] }));
    world.join(machine("az1", 1));
    world.converge();
    expect(world.row(zoneBalancerName("az1")).listeners[0]?.allowedCidrs).toContain("192.0.2.0/24");
    world.intent = { ...world.intent, allowedCidrs: [] };
    world.converge();
    expect(world.row(zoneBalancerName("az1")).listeners[0]?.allowedCidrs).toEqual([]);
  });

  test.each([
    ["the provider is OVN", "ovn", amphora],
    ["Octavia is older than 2.12", "amphora", { ...amphora, version: [2, 11] as const }],
    [
      "it was refused before",
      "amphora",
      { ...amphora, refused: [{ provider: "amphora", feature: "allowed-cidrs" as const }] },
    ],
  ])("nothing is sent when %s, and one warning says so", (_, provider, capabilities) => {
    const world = new CloudModel(zonesIntent(["az1"], { allowedCidrs: ["192.0.2.0/24"], provider }));
    world.capabilities = known(capabilities);
    world.join(machine("az1", 1));
    world.converge();
    expect(world.row(zoneBalancerName("az1")).listeners[0]?.allowedCidrs).toEqual([]);
    expect(world.plan().refusals.filter(({ reason }) => reason === "AllowedCidrsUnsupported")).toHaveLength(1);
  });

  test("a list stays as it is while Neutron does not say where machines are, and nothing is said of its entries", () => {
    const world = new CloudModel(zonesIntent(["az1"], { allowedCidrs: ["192.0.2.0/24", "2001:db8::/32"] }));
    world.join(machine("az1", 1));
    world.converge();
    const { allowedCidrs: before } = world.row(zoneBalancerName("az1")).listeners[0] ?? {};
    const ignored = () => world.plan().refusals.filter(({ reason }) => reason === "AllowedCidrIgnored");
    expect(ignored()).toHaveLength(1);
    world.places = { known: false, reason: "OpenStackServerError", message: "503" };
    for (let round = 0; round < 5; round += 1) world.round();
    expect(world.row(zoneBalancerName("az1")).listeners[0]?.allowedCidrs).toEqual(before);
    expect(ignored()).toEqual([]);
  });

  test("nobody is let in by mistake: while the cloud does not say what it can do no listener is made", () => {
    const world = new CloudModel(zonesIntent(["az1"], { allowedCidrs: ["192.0.2.0/24"] }));
    world.round();
    world.round();
    const { capabilities } = world;
    world.capabilities = { known: false, reason: "OpenStackServerError", message: "503" };
    for (let round = 0; round < 5; round += 1) world.round();
    const { listeners } = world.row(zoneBalancerName("az1"));
    expect(listeners).toEqual([]);
    world.capabilities = capabilities;
    world.converge();
    expect(world.row(zoneBalancerName("az1")).listeners[0]?.allowedCidrs).toContain("192.0.2.0/24");
  });
});
