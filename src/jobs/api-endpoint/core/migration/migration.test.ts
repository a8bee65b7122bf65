import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  capoDescription,
  dnsEndpoint,
  intent,
  legacyName,
  machine,
  ownerId,
  placesOf,
  single,
  withMode,
  withoutFloatingIpTags,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { laneKey } from "../../../../core/plan.ts";

/** As CAPO leaves a cluster with a DNS endpoint: untagged, known by status alone. */
function legacyCluster(vipSubnetId: string): CloudModel {
  const world = new CloudModel(intent({ endpoint: dnsEndpoint }));
  world.places = known(placesOf(["az1", "az2", "az3"]));
  const row = world.addBalancer(
    { name: legacyName, description: capoDescription, vipSubnetId, vipAddress: "10.0.2.9" },
    6443,
  );
  const { address } = world.addFloatingIp({ portId: row.lb.vipPortId, description: capoDescription });
  world.join(machine("az1", 1), machine("az2", 1), machine("az3", 1));
  for (const { name, addresses } of world.machines)
    world.addMember(row, `${legacyName}-6443-${name}`, addresses[0] ?? "");
  const recorded = {
    id: row.lb.id,
    name: legacyName,
    address,
    internalAddress: "10.0.2.9",
    networkId: "net",
    subnetId: vipSubnetId,
  };
  world.recorded = { zones: [], single: recorded, networkId: "net" };
  world.object.provisioned = true;
  return world;
}

function move(world: CloudModel, zones: readonly string[]): void {
  world.intent = zonesIntent(zones, { consents: world.intent.consents });
}

describe("moving from one balancer to zones", () => {
  test("renames the legacy balancer to the first zone when its VIP lies there, keeping VIP, floating IP and members", () => {
    const world = legacyCluster("sub-az1");
    const { id, vipAddress } = world.row(legacyName).lb;
    const [floating] = world.floatingIps.map(({ address }) => address);
    move(world, ["az1", "az2", "az3"]);
    world.converge();
    expect(world.rows).toHaveLength(3);
    expect(world.row(zoneBalancerName("az1")).lb).toMatchObject({ id, vipAddress });
    expect(world.status?.zones[0]).toMatchObject({ availabilityZone: "az1", id, ip: floating, internalIP: vipAddress });
    expect(["az1", "az2", "az3"].map((zone) => world.members(zoneBalancerName(zone)))).toEqual([
      ["10.6.1.1"],
      ["10.6.2.1"],
      ["10.6.3.1"],
    ]);
  });

  test("renames balancer, listeners, pools, monitors and members in this order, and finds nothing by name in between", () => {
    const world = legacyCluster("sub-az1");
    move(world, ["az1"]);
    const done = world
      .converge()
      .filter(({ lane }) => laneKey(lane) === "az1")
      .map(({ kind }) => kind);
    expect(done.slice(0, 5)).toEqual([
      "update-load-balancer",
      "update-listener",
      "update-pool",
      "update-monitor",
      "merge-members",
    ]);
    const row = world.row(zoneBalancerName("az1"));
    expect(row.pools[0]?.members.every(({ name }) => name.startsWith(`${zoneBalancerName("az1")}-6443-`))).toBe(true);
    expect([row.listeners, row.pools, row.monitors].map(([part]) => part?.name)).toEqual(
      Array(3).fill(`${zoneBalancerName("az1")}-6443`),
    );
  });

  test("gives it to another zone when its VIP lies there", () => {
    const world = legacyCluster("sub-az2");
    const { id } = world.row(legacyName).lb;
    move(world, ["az1", "az2"]);
    world.converge();
    expect(world.row(zoneBalancerName("az2")).lb.id).toBe(id);
  });

  test("keeps it as a fall-back with all machines when its VIP lies in no mapped subnet, until its removal is agreed", () => {
    const world = legacyCluster("sub-nodes");
    move(world, ["az1", "az2"]);
    world.converge();
    expect(world.rows).toHaveLength(3);
    world.join(machine("az3", 2));
    world.converge();
    expect(world.members(legacyName)).toEqual(["10.6.1.1", "10.6.2.1", "10.6.3.1", "10.6.3.2"]);
    expect(world.status?.conditions.find(({ type }) => type === "LegacyLoadBalancerPresent")?.status).toBe("True");
    world.intent = { ...world.intent, consents: { ...world.intent.consents, removeLegacy: true } };
    world.converge();
    expect(world.rows.map(({ lb }) => lb.name).toSorted()).toEqual([zoneBalancerName("az1"), zoneBalancerName("az2")]);
    expect(world.floatingIps).toHaveLength(2);
  });

  test.each([
    ["beside zones", undefined],
    ["beside one balancer again", single],
  ] as const)("a fall-back whose tags were all cleared gets them back, and is no duplicate: %s", (_beside, mode) => {
    const world = legacyCluster("sub-nodes");
    move(world, ["az1", "az2"]);
    world.converge();
    const fallback = world.row(legacyName);
    if (mode !== undefined) world.intent = withMode(world.intent, mode);
    world.converge();
    for (const part of [fallback.lb, ...fallback.listeners, ...fallback.pools]) part.tags = [];
    world.converge();
    expect(fallback.lb.tags).toContain("mainstay-role=fallback");
    expect(world.rows).toContain(fallback);
  });

  test("adopts the zone's own balancer when there is one, and keeps the legacy one beside it", () => {
    const world = legacyCluster("sub-az1");
    world.addBalancer({
      name: zoneBalancerName("az1"),
      description: capoDescription,
      tags: [`mainstay-owner=${ownerId}`, "mainstay-zone=az1", "mainstay-role=zone"],
      vipSubnetId: "sub-az1",
      vipAddress: "10.0.1.50",
    });
    move(world, ["az1"]);
    world.converge();
    expect(world.row(zoneBalancerName("az1")).lb.vipAddress).toBe("10.0.1.50");
    expect(world.row(legacyName).lb.tags).toContain("mainstay-role=fallback");
  });

  test("finds it again by status alone when a crash comes before it is marked", () => {
    const world = legacyCluster("sub-az2");
    const { id } = world.row(legacyName).lb;
    move(world, ["az1", "az2"]);
    world.report();
    world.report();
    world.converge();
    expect(world.row(zoneBalancerName("az2")).lb.id).toBe(id);
    expect(world.rows).toHaveLength(2);
  });

  test("whose end was agreed beforehand, it takes its floating IP along, also when Neutron is away as it goes", () => {
    const world = legacyCluster("sub-nodes");
    const { id } = world.row(legacyName).lb;
    world.intent = { ...world.intent, consents: { ...world.intent.consents, removeLegacy: true } };
    move(world, ["az1", "az2"]);
    while (world.rows.some(({ lb }) => lb.id === id)) world.round();
    world.neutronAway = true;
    world.round();
    world.neutronAway = false;
    world.converge();
    const ports = world.rows.map(({ lb }) => lb.vipPortId);
    expect(world.floatingIps.map(({ portId }) => portId).toSorted()).toEqual(ports.toSorted());
  });

  test("deleted before its floating IP could be marked, it waits for Neutron and leaves nothing behind", () => {
    const world = legacyCluster("sub-nodes");
    world.neutronAway = true;
    move(world, ["az1", "az2"]);
    for (let round = 0; round < 5; round += 1) world.round();
    world.machines = [];
    world.intent = { ...world.intent, deleting: true };
    for (let round = 0; round < 5; round += 1) world.round();
    world.neutronAway = false;
    world.converge();
    expect([world.rows, world.floatingIps, world.object.hasFinalizer]).toEqual([[], [], false]);
  });

  test("never loses a member of another zone before that zone's balancer serves it", () => {
    const world = legacyCluster("sub-az1");
    move(world, ["az1", "az2"]);
    world.capabilities = { known: false, reason: "OpenStackServerError", message: "503" };
    for (let round = 0; round < 12; round += 1) world.round();
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1", "10.6.2.1"]);
  });
});

describe("adopting", () => {
  const untagged = { name: legacyName, description: capoDescription, vipAddress: "10.6.0.9" };

  test.each([
    [
      "its id is in status",
      (world: CloudModel, id: string) => {
        world.recorded = {
          ...world.recorded,
          single: {
            id,
            name: undefined,
            address: undefined,
            internalAddress: undefined,
            networkId: undefined,
            subnetId: undefined,
          },
        };
      },
    ],
    [
      "its VIP is the endpoint",
      (world: CloudModel) => {
        world.intent = intent({
          endpoint: { host: "10.6.0.9", port: 6443 },
          floatingIp: { enabled: false, address: undefined },
        });
      },
    ],
    [
      "the user consents",
      (world: CloudModel) => {
        world.intent = intent({ consents: { ...world.intent.consents, adoptLegacy: true } });
      },
    ],
  ])("takes an untagged balancer of our name and description when %s", (_, prepare) => {
    const world = new CloudModel(intent());
    const { lb } = world.addBalancer(untagged, 6443);
    prepare(world, lb.id);
    world.join(machine("az1", 1));
    world.converge();
    expect(world.rows).toHaveLength(1);
    expect(lb.tags).toContain(`mainstay-owner=${ownerId}`);
  });

  test.each([
    ["nothing but name and description speaks for it", untagged, "OpenStackCluster"],
    ["its description is another's", { ...untagged, description: "mine" }, "OpenStackCluster"],
    ["it bears another owner's tag", { ...untagged, tags: ["mainstay-owner=other"] }, "OpenStackCluster"],
    ["it is CAPO's, and we came through the other door", untagged, "APIEndpoint"],
  ] as const)("leaves it alone when %s, whatever the user agreed to, and makes ours beside it", (_, over, door) => {
    const endpoint = { host: door === "APIEndpoint" ? "10.6.0.9" : "api.example.com", port: 6443 };
    const isConsented = over !== untagged || door === "APIEndpoint";
    const consents = { ...intent().consents, adoptLegacy: isConsented };
    const world = new CloudModel(intent({ door, endpoint, consents }));
    const row = world.addBalancer(over, 6443);
    row.foreign = true;
    world.join(machine("az1", 1));
    const before = JSON.stringify(row);
    for (let round = 0; round < 15; round += 1) world.round();
    expect(JSON.stringify(row)).toBe(before);
    expect(world.ours()).toHaveLength(1);
    expect(world.plan().refusals.filter(({ reason }) => reason === "ForeignLoadBalancer")).toHaveLength(
      door === "APIEndpoint" ? 0 : 1,
    );
  });
});

describe("adopting, of several", () => {
  const untagged = { description: capoDescription, createdAt: "2026-01-01T00:00:00" };

  test("takes one of the legacy name by consent, and leaves the other alone", () => {
    const world = new CloudModel(intent({ consents: { ...intent().consents, adoptLegacy: true } }));
    const { lb } = world.addBalancer({ ...untagged, name: legacyName, vipAddress: "10.6.0.9" }, 6443);
    const other = world.addBalancer(
      { ...untagged, name: legacyName, vipAddress: "10.6.0.10", createdAt: "2026-01-01T00:00:01" },
      6443,
    );
    other.foreign = true;
    world.join(machine("az1", 1));
    world.converge();
    expect([lb.tags.includes(`mainstay-owner=${ownerId}`), other.lb.tags]).toEqual([true, []]);
    expect(world.rows).toHaveLength(2);
  });

  test.each([
    ["that status knows is taken", true],
    ["that nothing but its name and description speaks for is left alone", false],
  ])("a zone's balancer %s", (_, isRecorded) => {
    const world = new CloudModel(zonesIntent(["az1"]));
    const row = world.addBalancer(
      { ...untagged, name: zoneBalancerName("az1"), vipSubnetId: "sub-az1", vipAddress: "10.0.1.9" },
      6443,
    );
    row.foreign = !isRecorded;
    const before = { name: undefined, address: undefined, internalAddress: undefined, networkId: "net" };
    const entry = { ...before, zone: "az1", subnetId: "sub-az1", id: isRecorded ? row.lb.id : undefined };
    world.recorded = { ...world.recorded, zones: [entry] };
    world.join(machine("az1", 1));
    world.converge();
    expect(world.rows).toHaveLength(isRecorded ? 1 : 2);
    expect(row.lb.tags.includes(`mainstay-owner=${ownerId}`)).toBe(isRecorded);
  });
});

describe("switching zones off", () => {
  test("keeps the mirrored balancer under the legacy name with all machines, and deletes the others when it serves everybody", () => {
    const world = new CloudModel(zonesIntent(["az2", "az1"]));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    const { id } = world.row(zoneBalancerName("az2")).lb;
    world.intent = withMode(world.intent, single);
    const order = world.converge().map(({ kind }) => kind);
    expect(world.rows.map(({ lb }) => [lb.id, lb.name])).toEqual([[id, legacyName]]);
    expect(world.members(legacyName)).toEqual(["10.6.1.1", "10.6.2.1"]);
    expect(order.indexOf("merge-members")).toBeLessThan(order.indexOf("delete-load-balancer"));
    expect(world.floatingIps).toHaveLength(1);
  });

  test("marks the one that is kept, so that a lost status does not choose another, and not the older fall-back", () => {
    const world = legacyCluster("sub-nodes");
    move(world, ["az1", "az2"]);
    world.converge();
    const { id } = world.row(zoneBalancerName("az1")).lb;
    world.intent = withMode(world.intent, single);
    world.round();
    world.recorded = { zones: [], single: undefined, networkId: undefined };
    world.converge();
    const marked = world.rows.filter(({ lb }) => lb.tags.includes("mainstay-role=single"));
    expect(marked.map(({ lb }) => [lb.id, lb.name])).toEqual([[id, legacyName]]);
  });

  test("waits with the others while a machine that they serve is not healthy behind the kept one", () => {
    const world = new CloudModel(zonesIntent(["az1", "az2"]));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    world.places = { known: false, reason: "OpenStackUnreachable", message: "neutron" };
    world.intent = withMode(world.intent, single);
    for (let round = 0; round < 10; round += 1) world.round();
    expect(world.rows).toHaveLength(2);
    expect(world.plan().refusals.map(({ reason }) => reason)).toContain("LastHealthyEndpoint");
  });
});

test("switching balancers off takes the floating IP along, also where it cannot be tagged and Neutron was away", () => {
  const world = legacyCluster("sub-nodes");
  world.capabilities = known(withoutFloatingIpTags);
  world.converge();
  const consents = { ...world.intent.consents, removeLegacy: true };
  world.intent = { ...withMode(world.intent, { mode: "none" }), consents };
  while (world.rows.length > 0) world.round();
  world.neutronAway = true;
  world.round();
  world.neutronAway = false;
  world.converge();
  expect([world.floatingIps, world.status?.single]).toEqual([[], undefined]);
});

describe("changing the mapping", () => {
  test("removing a zone deletes its balancer and its floating IP, and only them", () => {
    const world = new CloudModel(zonesIntent(["az1", "az2"]));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    const kept = JSON.stringify(world.row(zoneBalancerName("az1")));
    world.intent = zonesIntent(["az1"]);
    world.converge();
    expect(JSON.stringify(world.rows[0])).toBe(kept);
    expect([world.rows.length, world.floatingIps.length]).toEqual([1, 1]);
  });

  test("refuses to delete the last balancer that lets people in", () => {
    const world = new CloudModel(zonesIntent(["az1", "az2"]));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    world.up.delete("10.6.1.1");
    world.intent = zonesIntent(["az1"]);
    world.converge();
    expect(world.rows).toHaveLength(2);
    expect(world.plan().refusals).toContainEqual(
      expect.objectContaining({ reason: "LastHealthyEndpoint", lane: { part: "az2" } }),
    );
    world.up.add("10.6.1.1");
    world.converge();
    expect(world.rows).toHaveLength(1);
  });

  test("deletes no balancer of a removed zone while no other can be seen to be healthy", () => {
    const world = new CloudModel(zonesIntent(["az1", "az2"]));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    for (const row of world.rows) row.hidden = true;
    world.intent = zonesIntent(["az1"]);
    for (let round = 0; round < 5; round += 1) world.round();
    expect(world.rows).toHaveLength(2);
  });

  test("reordering changes the mirror and nothing in the cloud", () => {
    const world = new CloudModel(zonesIntent(["az1", "az2"]));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    expect(world.status?.single?.name).toBe(zoneBalancerName("az1"));
    world.intent = zonesIntent(["az2", "az1"]);
    expect(world.converge()).toEqual([]);
    expect(world.status?.single).toEqual({ ...world.status?.zones[0], availabilityZone: undefined });
    expect(world.status?.single?.name).toBe(zoneBalancerName("az2"));
  });
});
