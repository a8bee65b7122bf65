import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  amphora,
  capoDescription,
  dnsEndpoint,
  intent,
  legacyName,
  machine,
  networkOf,
  nodeSubnet,
  one,
  placesOf,
  subnetOf,
  tcpPorts,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";

function zoned(zones: readonly string[], over: Parameters<typeof zonesIntent>[1] = {}): CloudModel {
  const world = new CloudModel(zonesIntent(zones, over));
  world.places = known(placesOf(["az1", "az2", "az3"]));
  return world;
}

const behind = (world: CloudModel) =>
  Object.fromEntries(["az1", "az2"].map((zone) => [zone, world.members(zoneBalancerName(zone))]));

describe("the member matrix", () => {
  test.each([
    ["default: only the balancer of its own zone", "az1", false, { az1: ["10.6.1.1"], az2: [] }],
    ["cross-zone: all balancers", "az1", true, { az1: ["10.6.1.1"], az2: ["10.6.1.1"] }],
    ["a zone that matches no mapping: none", "az9", false, { az1: [], az2: [] }],
    ["a zone that matches no mapping, cross-zone: all", "az9", true, { az1: ["10.6.9.1"], az2: ["10.6.9.1"] }],
    ["no zone: none", undefined, false, { az1: [], az2: [] }],
    ["no zone, cross-zone: all", undefined, true, { az1: ["10.6.7.1"], az2: ["10.6.7.1"] }],
  ])("%s", (_, zone, crossZone, expected) => {
    const world = zoned(["az1", "az2"], { crossZone });
    world.join(zone === undefined ? machine("az7", 1, { zone: undefined }) : machine(zone, 1));
    world.converge();
    expect(behind(world)).toEqual(expected);
    const reported = world.plan().refusals.filter(({ reason }) => reason === "MachineZoneUnmapped");
    expect(reported).toHaveLength(!crossZone && zone !== "az1" ? 1 : 0);
  });

  test("the legacy balancer alone: all machines, whatever their zone", () => {
    const world = new CloudModel(intent());
    world.join(machine("az1", 1), machine("az9", 1), machine("az7", 1, { zone: undefined }));
    world.converge();
    expect(world.members(legacyName)).toEqual(["10.6.1.1", "10.6.7.1", "10.6.9.1"]);
  });

  test("membership holds on the API port and on every additional port", () => {
    const world = zoned(["az1", "az2"], { additionalPorts: tcpPorts(8132, 9345) });
    world.join(machine("az1", 1));
    world.converge();
    for (const port of [6443, 8132, 9345]) expect(world.members(zoneBalancerName("az1"), port)).toEqual(["10.6.1.1"]);
  });
});

describe("a member's address and subnet", () => {
  test("is the one in a node subnet, of the VIP's family, wherever it stands in the list", () => {
    const world = zoned(["az1"]);
    world.join(machine("az1", 1, { addresses: ["172.16.0.5", "2001:db8::1", "10.6.1.1", "203.0.113.40"] }));
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1"]);
  });

  test("of a machine that fits nowhere: not registered, and told", () => {
    const world = zoned(["az1"]);
    world.join(machine("az1", 1, { addresses: ["172.16.0.5"] }));
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual([]);
    expect(world.plan().refusals.map(({ reason }) => reason)).toContain("MemberAddressUnknown");
  });

  test.each([
    ["same network, amphora: no subnet", "amphora", "net", undefined],
    ["another routed network, amphora: the member's own subnet", "amphora", "nodes-net", "sub-nodes"],
    ["OVN: always the member's own subnet", "ovn", "net", "sub-nodes"],
  ])("%s", (_, provider, networkId, expected) => {
    const world = zoned(["az1"], { provider });
    world.places = known(
      placesOf(["az1"], { clusterNetwork: one(networkOf(networkId)), clusterSubnets: [{ ...nodeSubnet, networkId }] }),
    );
    world.join(machine("az1", 1));
    world.converge();
    expect(subnetOfMember(world, "10.6.1.1")).toBe(expected);
  });
});

describe("a member's subnet, where", () => {
  const elsewhere = subnetOf("az4", { id: "sub-far", networkId: "far", cidr: "172.16.0.0/24" });
  const unnamed = { clusterNetwork: undefined, clusterSubnets: [] };
  const unresolved = { found: "many", message: "2 networks fit" } as const;

  test.each([
    ["no node network is named: found in the balancers', on OVN", "ovn", unnamed, "10.0.2.7", "sub-az2"],
    ["no node network is named, amphora: not told", "amphora", unnamed, "10.0.2.7", undefined],
    [
      "the node network leads nowhere, on OVN",
      "ovn",
      { ...unnamed, clusterNetwork: unresolved },
      "10.0.2.7",
      "sub-az2",
    ],
    [
      "a known network is another one, amphora",
      "amphora",
      { ...unnamed, knownSubnets: [elsewhere] },
      "172.16.0.9",
      "sub-far",
    ],
    ["one node subnet of two leads nowhere", "ovn", { clusterUnresolved: ["2 subnets fit"] }, "10.0.2.7", "sub-az2"],
  ])("%s", (_, provider, over, address, expected) => {
    const world = zoned(["az1"], { provider });
    world.places = known(placesOf(["az1", "az2"], over));
    world.join(machine("az1", 1, { addresses: ["192.168.9.9", address] }));
    for (let round = 0; round < 20; round += 1) world.round();
    expect(world.members(zoneBalancerName("az1"))).toEqual([address]);
    expect(subnetOfMember(world, address)).toBe(expected);
  });

  test.each([
    ["amphora", ["192.168.9.9"]],
    ["ovn", []],
  ])("nobody knows it: %s", (provider, expected) => {
    const world = zoned(["az1"], { provider });
    world.places = known(placesOf(["az1"], unnamed));
    world.join(machine("az1", 1, { addresses: ["192.168.9.9"] }));
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual(expected);
    const reported = world.plan().refusals.filter(({ reason }) => reason === "MemberAddressUnknown");
    expect(reported).toHaveLength(1 - expected.length);
  });
});

describe("members leave", () => {
  test("early, from every pool, when their machine begins to be deleted", () => {
    const world = zoned(["az1", "az2"], { crossZone: true });
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    world.setDeleting("cp-az1-1");
    world.converge();
    expect(behind(world)).toEqual({ az1: ["10.6.2.1"], az2: ["10.6.2.1"] });
  });

  test("but the last healthy one of the cluster stays until its machine is gone", () => {
    const world = zoned(["az1", "az2"]);
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    world.up.delete("10.6.2.1");
    world.setDeleting("cp-az1-1");
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1"]);
    expect(world.plan().refusals.map(({ reason }) => reason)).toContain("LastHealthyEndpoint");
    world.leave("cp-az1-1");
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual([]);
  });

  test("when their machine is gone; those of others stay, with a warning", () => {
    const world = zoned(["az1"]);
    world.join(machine("az1", 1), machine("az1", 2));
    world.converge();
    world.addMember(world.row(zoneBalancerName("az1")), "put-by-hand", "10.6.1.99");
    world.leave("cp-az1-2");
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1", "10.6.1.99"]);
    expect(world.plan().refusals.filter(({ reason }) => reason === "ForeignMember")).toHaveLength(1);
  });

  test("switching cross-zone off empties no pool before its own machines are healthy", () => {
    const world = zoned(["az1", "az2"], { crossZone: true });
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    world.up.delete("10.6.1.1");
    world.intent = { ...world.intent, crossZone: false };
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1", "10.6.2.1"]);
    expect(world.members(zoneBalancerName("az2"))).toEqual(["10.6.2.1"]);
    world.up.add("10.6.1.1");
    world.converge();
    expect(behind(world)).toEqual({ az1: ["10.6.1.1"], az2: ["10.6.2.1"] });
  });

  test("switching cross-zone off leaves each machine where it is until it answers in its own zone itself", () => {
    const world = zoned(["az1", "az2"], { crossZone: true });
    world.join(machine("az1", 1), machine("az2", 1), machine("az2", 2));
    world.converge();
    world.intent = { ...world.intent, crossZone: false };
    const [home] = world.row(zoneBalancerName("az2")).pools;
    const stayAway = () => {
      if (home !== undefined) home.members = home.members.filter(({ address }) => address !== "10.6.2.2");
    };
    for (let round = 0; round < 6; round += 1) {
      stayAway();
      world.round();
    }
    stayAway();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1", "10.6.2.2"]);
    world.converge();
    expect(behind(world)).toEqual({ az1: ["10.6.1.1"], az2: ["10.6.2.1", "10.6.2.2"] });
  });

  test("an address that changed comes in and is healthy before the old one goes", () => {
    const world = zoned(["az1"]);
    world.join(machine("az1", 1));
    world.converge();
    world.machines = [machine("az1", 1, { addresses: ["10.6.1.77"] })];
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1", "10.6.1.77"]);
    world.up.add("10.6.1.77");
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.77"]);
  });

  test("nothing leaves while no machine can be seen, or a machine's zone is not known any more", () => {
    const world = zoned(["az1"]);
    world.join(machine("az1", 1));
    world.converge();
    world.machines = [machine("az1", 1, { zone: undefined })];
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1"]);
    world.machines = [];
    world.converge();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1"]);
  });
});

describe("where there is no additive batch", () => {
  test("members go in one by one", () => {
    const world = zoned(["az1"], { crossZone: true });
    world.capabilities = known({ ...amphora, version: [2, 10] });
    world.join(machine("az1", 1), machine("az2", 1), machine("az3", 1));
    const merges = world.converge().filter(({ kind }) => kind === "merge-members");
    expect(merges.map((action) => (action.kind === "merge-members" ? action.members.length : 0))).toEqual([1, 1, 1]);
  });
});

test("a machine behind no zone's balancer is named, and why", () => {
  const world = zoned(["az1"]);
  world.join(machine("az1", 1), machine("az9", 1), machine("az7", 1, { zone: undefined }));
  const said = () => world.plan().refusals.filter(({ reason }) => reason === "MachineZoneUnmapped");
  expect(said().map(({ message }) => message)).toEqual([
    "machine cp-az7-1: its zone is not known, so it is behind no zone's balancer",
    "machine cp-az9-1: zone az9 has no mapping, so it is behind no zone's balancer",
  ]);
  world.setDeleting("cp-az9-1");
  expect(said()).toHaveLength(1);
});

describe("a machine that is still behind a balancer is not said to be behind none", () => {
  const name = zoneBalancerName("az1");
  const stays = `so it stays behind ${name} as it is, and could not be put back`;
  const said = (change: Partial<ReturnType<typeof machine>>) => {
    const world = zoned(["az1"]);
    world.join(machine("az1", 1), machine("az1", 2));
    world.converge();
    world.machines = [machine("az1", 1, change), machine("az1", 2)];
    const { refusals, waits } = world.plan();
    expect(world.members(name)).toEqual(["10.6.1.1", "10.6.1.2"]);
    return [...refusals, ...waits].flatMap(({ message = "" }) =>
      message.startsWith("machine cp-az1-1") ? message : [],
    );
  };

  test.each([
    ["its address has gone from its status", { addresses: [] }, `it has no address any more, ${stays}; an InternalIP`],
    ["its addresses lie elsewhere now", { addresses: ["172.16.0.5"] }, `10.6.0.0/16, ${stays}; attach it`],
    ["its zone is not known", { zone: undefined }, `its zone is not known, ${stays}`],
    [
      "its zone has no mapping",
      { zone: "az9" },
      `zone az9 has no mapping, so it belongs behind no zone's balancer, and leaves ${name} as soon as the machines there answer without it`,
    ],
  ] as const)("when %s", (_when, change, words) => {
    expect(said(change)).toEqual([expect.stringContaining(words)]);
  });
});

describe("a machine whose address is in no subnet that a member can be in is told what to do", () => {
  const said = (over: Parameters<typeof placesOf>[1], addresses = ["172.16.0.5"]) => {
    const world = zoned(["az1"], { provider: "ovn" });
    world.places = known(placesOf(["az1"], over));
    world.join(machine("az1", 1, { addresses }));
    world.converge();
    return world.plan().refusals.find(({ reason }) => reason === "MemberAddressUnknown")?.message;
  };

  test("where node subnets are named", () => {
    expect(said({})).toBe(
      "machine cp-az1-1: its address 172.16.0.5 is in none of the node subnets 10.6.0.0/16, so it is behind no balancer; attach it to one of them, or name its subnet in spec.subnets",
    );
  });

  test("where none is named, and the provider must be told a member's", () => {
    const places = { clusterNetwork: undefined, clusterSubnets: [], knownSubnets: [subnetOf("az1")] };
    expect(said(places)).toBe(
      "machine cp-az1-1: its address 172.16.0.5 is in none of the subnets 10.0.1.0/24 of the balancers' network, and provider ovn must be told a member's subnet, so it is behind no balancer; name its network in spec.network, or its subnet in spec.subnets",
    );
  });

  test("where it has none of the VIP's family", () => {
    expect(said({}, ["2001:db8::5", "2001:db8::4"])).toBe(
      "machine cp-az1-1: its addresses 2001:db8::4, 2001:db8::5 are not of the VIP's family, so it is behind no balancer; give it one of IPv4",
    );
  });
});

test("a zone without machines and cross-zone off has an empty pool, and says so", () => {
  const world = zoned(["az1", "az2"]);
  world.join(machine("az1", 1));
  world.converge();
  expect(world.members(zoneBalancerName("az2"))).toEqual([]);
  expect(world.plan().refusals).toMatchObject([{ reason: "ZoneWithoutMembers", lane: { part: "az2" } }]);
  expect(world.status?.zones.map(({ availabilityZone, health }) => [availabilityZone, health])).toEqual([
    ["az1", "Healthy"],
    ["az2", "Empty"],
  ]);
});

test.each<readonly [string, (world: CloudModel) => void]>([
  ["busy", (world) => void (world.row(zoneBalancerName("az1")).lb.provisioningStatus = "PENDING_UPDATE")],
  ["in ERROR", (world) => void (world.row(zoneBalancerName("az1")).lb.provisioningStatus = "ERROR")],
  ["not to be read", (world) => void (world.row(zoneBalancerName("az1")).hidden = true)],
])("an object with problems changes no member of a balancer that is %s", (_what, change) => {
  const world = zoned(["az1"]);
  world.converge();
  world.problems = [{ where: "spec.tags", message: "it is wrong", hint: "Correct it." }];
  world.join(machine("az1", 1));
  expect(world.plan().actions.map(({ kind }) => kind)).toEqual(["merge-members"]);
  change(world);
  expect(world.plan().actions).toEqual([]);
});

test("an address at which another machine stood is no reason to prefer it", () => {
  const world = zoned(["az1"]);
  world.converge();
  world.addMember(world.row(zoneBalancerName("az1")), `${zoneBalancerName("az1")}-6443-cp-az1-9`, "10.6.1.2");
  world.join(machine("az1", 1, { addresses: ["10.6.1.1", "10.6.1.2"] }));
  world.converge();
  expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1"]);
});

test("an object with problems keeps its members up and makes and deletes nothing", () => {
  const world = new CloudModel(intent({ endpoint: { host: "10.0.2.9", port: 6443 } }));
  world.places = known(placesOf(["az2"]));
  const row = world.addBalancer(
    { name: legacyName, description: capoDescription, vipSubnetId: "sub-az2", vipAddress: "10.0.2.9" },
    6443,
  );
  world.intent = zonesIntent(["az2"], {
    endpoint: { host: "10.0.2.9", port: 6443 },
    floatingIp: { enabled: false, address: undefined },
  });
  world.join(machine("az1", 1), machine("az2", 1));
  const done = world.converge();
  expect(done.map(({ kind }) => kind)).toEqual(["merge-members"]);
  expect(row.pools[0]?.members.map(({ name }) => name)).toEqual([
    `${legacyName}-6443-cp-az1-1`,
    `${legacyName}-6443-cp-az2-1`,
  ]);
  expect(world.rows).toHaveLength(1);
  expect(world.plan().refusals.map(({ reason }) => reason)).toEqual(["EndpointNotDnsName"]);
  world.intent = { ...world.intent, clusterEndpoint: dnsEndpoint };
  world.converge();
  expect(world.rows.map(({ lb }) => lb.name)).toEqual([zoneBalancerName("az2")]);
});

/** As the first balancer's pool was told. */
function subnetOfMember(world: CloudModel, address: string): string | undefined {
  const members = world.row(zoneBalancerName("az1")).pools[0]?.members;
  return members?.find((member) => member.address === address)?.subnetId;
}

test("a machine with two addresses that would do keeps the one that it is behind by, in whichever order they are told", () => {
  const world = zoned(["az1"]);
  const [first, second] = ["10.6.1.1", "10.6.1.200"] as const;
  world.join(machine("az1", 1, { addresses: [first, second] }));
  world.converge();
  expect(world.members(zoneBalancerName("az1"))).toEqual([first]);
  world.machines = [machine("az1", 1, { addresses: [second, first] })];
  expect(world.converge()).toEqual([]);
  expect(world.members(zoneBalancerName("az1"))).toEqual([first]);
  world.machines = [machine("az1", 1, { addresses: [second] })];
  world.converge();
  expect(world.members(zoneBalancerName("az1"))).toEqual([second]);
});

describe("a member in ERROR", () => {
  function broken() {
    const world = zoned(["az1", "az2", "az3"]);
    world.join(...["az1", "az2", "az3"].map((zone) => machine(zone, 1)));
    world.converge();
    world.nowMs += 600_000;
    const rows = ["az1", "az2", "az3"].flatMap((zone) => world.row(zoneBalancerName(zone)).pools[0]?.members ?? []);
    for (const row of rows) Object.assign(row, { provisioningStatus: "ERROR" });
    return { world, rows };
  }

  test("that answers is written again where it is, in every zone, and is the same member afterwards", () => {
    const { world, rows } = broken();
    const ids = rows.map(({ id }) => id);
    expect(world.round().actions.map(({ kind, because }) => [kind, because])).toEqual(
      Array.from({ length: 3 }, () => ["merge-members", "MemberInError"]),
    );
    expect(world.waysIn()).toBe(3);
    expect(rows.map(({ id, provisioningStatus }) => [id, provisioningStatus])).toEqual(ids.map((id) => [id, "ACTIVE"]));
    expect(world.converge()).toEqual([]);
  });

  test("is written again where our clock is a day behind, and the cloud tells no time", () => {
    const { world } = broken();
    world.nowMs -= 86_400_000;
    expect(new Set(world.plan().actions.map(({ because }) => because))).toEqual(new Set(["MemberInError"]));
  });

  test("that may answer, where nobody checks, is not removed either", () => {
    const { world } = broken();
    for (const zone of ["az1", "az2", "az3"])
      for (const monitor of world.row(zoneBalancerName(zone)).monitors) monitor.provisioningStatus = "ERROR";
    for (let round = 0; round < 20; round += 1) {
      expect(world.round().actions.map(({ kind }) => kind)).not.toContain("remove-member");
      expect(world.waysIn()).toBe(3);
    }
  });
});
