import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  capoDescription,
  intent,
  legacyName,
  machine,
  ownerId,
  placesOf,
  remapped,
  subnetOf,
  withoutFloatingIpTags,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { floatingIpDescription } from "../model/names.ts";

function zoned(over: Parameters<typeof zonesIntent>[1] = {}): CloudModel {
  const world = new CloudModel(zonesIntent(["az1", "az2"], over));
  world.join(machine("az1", 1), machine("az2", 1));
  return world;
}

function deleted(world: CloudModel): void {
  world.machines = [];
  world.intent = { ...world.intent, deleting: true };
}

const addressOf = (world: CloudModel, zone: string) =>
  world.floatingIps.find(({ portId }) => portId === world.row(zoneBalancerName(zone)).lb.vipPortId)?.address;

describe("floating IPs", () => {
  test("each zone gets one of its own, made on its port while the balancer is still being made", () => {
    const world = zoned();
    world.round();
    for (const action of world.plan().actions) world.apply(action);
    const made = world.plan().actions.filter(({ kind }) => kind === "create-floating-ip");
    expect(made).toHaveLength(2);
    world.converge();
    expect(new Set(["az1", "az2"].map((zone) => addressOf(world, zone))).size).toBe(2);
  });

  test("are not made when they are disabled", () => {
    const world = zoned({ floatingIp: { enabled: false, address: undefined } });
    world.converge();
    expect(world.floatingIps).toEqual([]);
    expect(world.status?.zones.every(({ ip }) => ip === undefined)).toBe(true);
  });

  test("a Neutron that is away holds up no balancer of a removed zone where they are disabled", () => {
    const world = zoned({ floatingIp: { enabled: false, address: undefined } });
    world.converge();
    world.intent = remapped(world.intent, (zones) => zones.slice(0, 1));
    world.neutronAway = true;
    world.converge();
    expect(world.rows.map(({ lb }) => lb.name)).toEqual([zoneBalancerName("az1")]);
  });

  test("an address that the user names goes to the first zone, is attached, and survives the cluster", () => {
    const world = zoned({ floatingIp: { enabled: true, address: "203.0.113.99" } });
    world.addFloatingIp({ address: "203.0.113.99" });
    world.converge();
    expect(addressOf(world, "az1")).toBe("203.0.113.99");
    deleted(world);
    world.converge();
    expect(world.floatingIps.map(({ address, tags }) => [address, tags])).toEqual([["203.0.113.99", []]]);
  });

  test("an endpoint that is an address names the one of the single balancer", () => {
    const world = new CloudModel(intent({ endpoint: { host: "203.0.113.77", port: 6443 } }));
    world.converge();
    expect(world.floatingIps.map(({ address, portId }) => [address, portId])).toEqual([
      ["203.0.113.77", world.row(legacyName).lb.vipPortId],
    ]);
  });

  test.each([[["203.0.113.50", "203.0.113.60"]], [["203.0.113.60", "203.0.113.50"]]])(
    "of several that are set aside for a zone the lowest is taken, in whichever order they are told: %j",
    (told) => {
      const world = zoned();
      const tags = [`mainstay-owner=${ownerId}`, "mainstay-zone=az1"];
      for (const address of told) world.addFloatingIp({ address, tags });
      world.converge();
      expect(addressOf(world, "az1")).toBe("203.0.113.50");
    },
  );

  test("an address that the user names survives the cluster also when it was made for it", () => {
    const world = zoned({ floatingIp: { enabled: true, address: "203.0.113.99" } });
    world.converge();
    expect(addressOf(world, "az1")).toBe("203.0.113.99");
    deleted(world);
    world.converge();
    expect(world.floatingIps.map(({ address }) => address)).toEqual(["203.0.113.99"]);
    expect(world.object.hasFinalizer).toBe(false);
  });

  test("one that is attached elsewhere is not taken from there", () => {
    const world = zoned({ floatingIp: { enabled: true, address: "203.0.113.99" } });
    world.addFloatingIp({ address: "203.0.113.99", portId: "a-server" });
    world.converge();
    expect(world.floatingIps.find(({ address }) => address === "203.0.113.99")?.portId).toBe("a-server");
    expect(world.plan().refusals.map(({ reason }) => reason)).toContain("FloatingIpInUse");
  });

  describe("a free one that the operator tagged for a zone is used there, and never deleted", () => {
    test.each([
      ["a description of their own", "for DNS"],
      ["CAPO's description", capoDescription],
    ])("with %s", (_, description) => {
      const world = zoned();
      const tags = [`mainstay-owner=${ownerId}`, "mainstay-zone=az2"];
      world.addFloatingIp({ address: "203.0.113.80", tags, description });
      world.converge();
      expect(addressOf(world, "az2")).toBe("203.0.113.80");
      deleted(world);
      world.converge();
      expect(world.floatingIps.map(({ address, tags: left }) => [address, left])).toEqual([["203.0.113.80", tags]]);
      expect(world.object.hasFinalizer).toBe(false);
    });
  });

  test("one of ours that the operator put on another zone's balancer is that one's, and its zone gets a new one", () => {
    const world = zoned();
    world.capabilities = known(withoutFloatingIpTags);
    world.converge();
    const [first, second] = ["az1", "az2"].map((zone) => world.row(zoneBalancerName(zone)).lb.vipPortId);
    world.floatingIps = world.floatingIps.filter(({ portId }) => portId === first);
    const moved = world.floatingIps[0]?.address;
    Object.assign(world.floatingIps[0] ?? {}, { portId: second });
    world.converge();
    expect([addressOf(world, "az2"), world.floatingIps.length]).toEqual([moved, 2]);
    expect(addressOf(world, "az1")).toEqual(expect.any(String));
    expect(world.plan().refusals).toEqual([]);
  });

  test("a second one that is set aside for a zone which has one goes again", () => {
    const world = zoned();
    world.converge();
    const before = world.floatingIps.map(({ address }) => address);
    world.addFloatingIp({ address: "203.0.113.81", description: floatingIpDescription(ownerId, "az1") });
    world.converge();
    expect(world.floatingIps.map(({ address }) => address)).toEqual(before);
  });

  test.each([
    ["with tags", undefined],
    ["where Neutron has no tags", withoutFloatingIpTags],
  ])("that of a removed zone goes also when Neutron was away as its balancer went: %s", (_, capabilities) => {
    const world = zoned();
    if (capabilities !== undefined) world.capabilities = known(capabilities);
    world.converge();
    const kept = addressOf(world, "az1");
    world.intent = remapped(world.intent, (zones) => zones.slice(0, 1));
    while (world.rows.length > 1) world.round();
    world.neutronAway = true;
    world.round();
    world.neutronAway = false;
    world.converge();
    expect(world.floatingIps.map(({ address }) => address)).toEqual([kept]);
    expect(world.status?.zones.map(({ availabilityZone }) => availabilityZone)).toEqual(["az1"]);
  });

  test("one found on the VIP that is not ours is recorded and left as it is", () => {
    const world = zoned();
    world.round();
    world.round();
    const port = world.row(zoneBalancerName("az1")).lb.vipPortId;
    world.floatingIps = [];
    world.addFloatingIp({ address: "203.0.113.70", portId: port, description: "by hand" });
    world.converge();
    expect(world.status?.zones[0]?.ip).toBe("203.0.113.70");
    expect(world.floatingIps[0]).toMatchObject({ tags: [], description: "by hand" });
  });

  describe("one that has a zone's old address, and is free,", () => {
    function givenBack(over: object): CloudModel {
      const world = zoned();
      world.converge();
      const before = world.floatingIps.find(({ address }) => address === addressOf(world, "az1"));
      world.floatingIps = world.floatingIps.filter((one) => one !== before);
      world.addFloatingIp({ address: before?.address ?? "", ...over });
      return world;
    }

    test.each([
      [
        "another owner's tags are on it",
        { tags: ["mainstay-owner=another", "mainstay-zone=az1"], description: "reserve" },
      ],
      ["it was made for another owner", { description: floatingIpDescription("another", "az1") }],
      ["CAPO made it for another cluster", { description: `${capoDescription}-other` }],
    ])("is somebody else's by now when %s: it is left as it is, and a new one is made", (_, over) => {
      const world = givenBack(over);
      const theirs = JSON.stringify(world.floatingIps.at(-1));
      world.converge();
      expect(world.floatingIps.map((one) => JSON.stringify(one))).toContain(theirs);
      expect(addressOf(world, "az1")).toEqual(expect.any(String));
      expect(world.floatingIps).toHaveLength(3);
    });

    test.each([
      ["without a word", {}],
      ["with words of their own", { description: "production API" }],
      ["with CAPO's words for this cluster", { description: capoDescription }],
    ])("is the one it had, also %s: an address never moves by itself", (_, over) => {
      const world = givenBack(over);
      const { address, id } = world.floatingIps.at(-1) ?? {};
      world.converge();
      expect(addressOf(world, "az1")).toBe(address);
      expect(world.floatingIps.filter((one) => one.id === id)).toHaveLength(1);
      expect(world.floatingIps).toHaveLength(2);
    });
  });

  test("the fall-back keeps what it has and gets none", () => {
    const world = new CloudModel(intent({ floatingIp: { enabled: false, address: undefined } }));
    world.join(machine("az1", 1));
    world.converge();
    world.intent = zonesIntent(["az1"]);
    world.places = known(placesOf(["az1"]));
    world.converge();
    const { lb } = world.row(legacyName);
    expect(lb.tags).toContain("mainstay-role=fallback");
    expect(world.floatingIps.map(({ portId }) => portId)).toEqual([world.row(zoneBalancerName("az1")).lb.vipPortId]);
  });

  test("a balancer in ERROR gets none: it may be gone in a moment", () => {
    const world = zoned();
    world.converge();
    const { lb } = world.row(zoneBalancerName("az2"));
    lb.provisioningStatus = "ERROR";
    world.floatingIps = world.floatingIps.filter(({ portId }) => portId !== lb.vipPortId);
    expect(world.plan().actions.map(({ kind }) => kind)).not.toContain("create-floating-ip");
    world.addFloatingIp({ description: floatingIpDescription(ownerId, "az2") });
    expect(world.plan().actions.map(({ kind }) => kind)).not.toContain("attach-floating-ip");
    lb.provisioningStatus = "ACTIVE";
    world.converge();
    expect(addressOf(world, "az2")).toEqual(expect.any(String));
  });

  test("a VIP of IPv6 gets none, and one warning", () => {
    const world = new CloudModel(zonesIntent(["az1"]));
    world.places = known(
      placesOf(["az1"], {
        zoneSubnets: new Map([
          ["az1", { found: "one", value: subnetOf("az1", { cidr: "2001:db8:1::/64", ipVersion: 6 }) }],
        ]),
      }),
    );
    world.recorded = {
      ...world.recorded,
      zones: [
        {
          zone: "az1",
          id: undefined,
          name: undefined,
          address: undefined,
          internalAddress: "2001:db8:1::9",
          networkId: "net",
          subnetId: "sub-az1",
        },
      ],
    };
    world.converge();
    expect(world.floatingIps).toEqual([]);
    expect(world.plan().refusals.filter(({ reason }) => reason === "FloatingIpSkipped")).toHaveLength(1);
  });

  test("without an external network nothing is made but the balancer, and people are told", () => {
    const world = zoned();
    world.places = known(
      placesOf(["az1", "az2"], { externalNetwork: { found: "many", message: "2 external networks" } }),
    );
    world.converge();
    expect(world.floatingIps).toEqual([]);
    expect(world.members(zoneBalancerName("az1"))).toEqual(["10.6.1.1"]);
    expect(world.status?.conditions.find(({ type }) => type === "NetworkReady")).toMatchObject({
      status: "False",
      reason: "ExternalNetworkUnresolved",
    });
  });

  test("where Neutron has no tags the description alone tells whose it is", () => {
    const world = new CloudModel(intent());
    world.capabilities = known(withoutFloatingIpTags);
    world.join(machine("az1", 1));
    world.converge();
    expect(world.row(legacyName)).toBeDefined();
    deleted(world);
    world.converge();
    expect(world.floatingIps).toEqual([]);
  });
});

describe("one of ours that somebody attached to a port that is not ours", () => {
  function moved(): CloudModel {
    const world = zoned();
    world.converge();
    const theirs = world.floatingIps.find(({ address }) => address === addressOf(world, "az1"));
    Object.assign(theirs ?? {}, { portId: "port-of-somebody", fixedAddress: "10.9.0.4" });
    deleted(world);
    return world;
  }

  test("stays on it when the cluster is deleted, holds the finalizer, and says what to do", () => {
    const world = moved();
    const { address } = world.floatingIps.find(({ portId }) => portId === "port-of-somebody") ?? { address: "" };
    for (let round = 0; round < 20; round += 1) world.round();
    expect(world.ours()).toEqual([]);
    expect(world.floatingIps).toMatchObject([{ address, portId: "port-of-somebody" }]);
    expect(world.object.hasFinalizer).toBe(true);
    expect(world.plan().refusals.map(({ reason, message }) => [reason, message])).toEqual([
      [
        "FloatingIpInUse",
        `floating IP ${address}: no longer wanted here, and somebody attached it to port port-of-somebody, so it is left alone; detach it and it is deleted, or take our description and our tags off it and it is yours`,
      ],
    ]);
  });

  test("is deleted once they detach it", () => {
    const world = moved();
    for (let round = 0; round < 20; round += 1) world.round();
    for (const one of world.floatingIps) delete (one as { portId?: string }).portId;
    world.converge();
    expect([world.floatingIps, world.object.hasFinalizer]).toEqual([[], false]);
  });

  test("is theirs once our marks are off it", () => {
    const world = moved();
    for (let round = 0; round < 20; round += 1) world.round();
    for (const one of world.floatingIps) Object.assign(one, { tags: [], description: "somebody's" });
    world.converge();
    expect(world.floatingIps).toMatchObject([{ portId: "port-of-somebody" }]);
    expect(world.object.hasFinalizer).toBe(false);
  });

  test.each(["zones", "single"] as const)("is taken off a VIP of ours that outlives its balancer (%s)", (mode) => {
    const world = mode === "zones" ? zoned() : new CloudModel(intent());
    if (mode === "single") world.join(machine("az1", 1));
    world.converge();
    const vips = new Map(world.rows.map(({ lb }) => [lb.vipPortId, lb.vipAddress]));
    const before = world.floatingIps.map(({ id, portId = "" }) => ({ id, portId, fixedAddress: vips.get(portId) }));
    deleted(world);
    while (world.rows.length > 0) world.round();
    for (const { id, portId, fixedAddress } of before)
      Object.assign(world.floatingIps.find((one) => one.id === id) ?? {}, { portId: `left-${portId}`, fixedAddress });
    const done = world.converge().map(({ kind }) => kind);
    expect(done.filter((kind) => kind === "detach-floating-ip")).toHaveLength(before.length);
    expect([world.floatingIps, world.object.hasFinalizer]).toEqual([[], false]);
  });
});

test("CAPO's, in a cloud without tags, is remembered until it is deleted, also when that fails once after its zone went", () => {
  const world = zoned();
  world.capabilities = known(withoutFloatingIpTags);
  const { lb } = world.addBalancer({ name: legacyName, description: capoDescription, vipSubnetId: "sub-az1" }, 6443);
  const address = "203.0.113.50";
  world.addFloatingIp({ address, description: capoDescription, portId: lb.vipPortId });
  const { id, vipAddress: internalAddress } = lb;
  world.recorded = {
    ...world.recorded,
    single: { id, name: legacyName, address, internalAddress, networkId: "net", subnetId: "sub-az1" },
  };
  world.converge();
  world.intent = remapped(world.intent, (zones) => zones.filter(({ zone }) => zone === "az2"));
  world.places = known(placesOf(["az2"]));
  for (let rounds = 0; rounds < 200 && world.rows.length > 1; rounds += 1) world.round();
  const failing = world.plan();
  expect(failing.actions.map(({ kind }) => kind)).toEqual(["delete-floating-ip"]);
  world.report(failing);
  world.converge();
  expect(world.floatingIps.map((one) => one.address)).not.toContain(address);
});

describe("a second floating IP on a VIP", () => {
  test.each(["0-first", "z-last"])("does not become the balancer's address, whatever its id: %s", (id) => {
    const world = zoned();
    world.converge();
    const before = world.status?.zones.map(({ ip }) => ip);
    const { vipPortId } = world.row(zoneBalancerName("az1")).lb;
    Object.assign(world.addFloatingIp({ portId: vipPortId, description: "somebody's" }), {
      id,
      address: "203.0.113.2",
    });
    world.floatingIps.sort((a, b) => (a.id < b.id ? -1 : 1));
    world.converge();
    expect(world.status?.zones.map(({ ip }) => ip)).toEqual(before);
    world.recorded = { zones: [], single: undefined, networkId: undefined, location: world.recorded.location };
    world.converge();
    expect(world.status?.zones.map(({ ip }) => ip)).toEqual(before);
  });
});

describe("floating IPs that are switched off", () => {
  const off = { enabled: false, address: undefined };
  const said = (world: CloudModel) => world.plan().refusals.filter(({ reason }) => reason === "FloatingIpKept");

  test("stay on their balancers, for people may come through them, and it is said what to do", () => {
    const world = zoned();
    world.converge();
    world.intent = { ...world.intent, floatingIp: off };
    world.converge();
    expect(world.floatingIps.filter(({ portId }) => portId !== undefined)).toHaveLength(2);
    expect(said(world)).toHaveLength(2);
    expect(said(world)[0]?.message).toContain(addressOf(world, "az1"));
  });

  test("are released when somebody detaches them; an address that the user made stays", () => {
    const world = zoned();
    world.converge();
    world.intent = { ...world.intent, floatingIp: off };
    const theirs = world.addFloatingIp({
      description: "somebody's",
      tags: [`mainstay-owner=${ownerId}`, "mainstay-zone=az1"],
    });
    for (const one of world.floatingIps) delete one.portId;
    world.converge();
    expect(world.floatingIps).toEqual([expect.objectContaining({ id: theirs.id })]);
    expect(said(world)).toEqual([]);
  });

  function lost(world: CloudModel, name: string): string {
    const { vipPortId } = world.row(name).lb;
    const floatingIp = world.floatingIps.find(({ portId }) => portId === vipPortId);
    world.rows = world.rows.filter(({ lb }) => lb.vipPortId !== vipPortId);
    delete floatingIp?.portId;
    return floatingIp?.address ?? "";
  }

  function lostInAz1(): { readonly world: CloudModel; readonly address: string } {
    const world = zoned();
    world.converge();
    world.intent = { ...world.intent, floatingIp: off };
    world.converge();
    const address = lost(world, zoneBalancerName("az1"));
    world.converge();
    return { world, address };
  }
  const addresses = (world: CloudModel) => world.floatingIps.map((one) => one.address);

  test("are kept when their balancer is lost and made again: nobody said that people no longer use them", () => {
    const { world, address } = lostInAz1();
    expect(world.row(zoneBalancerName("az1")).lb.vipAddress).not.toBe("");
    expect(addresses(world)).toContain(address);
    expect(said(world)).toHaveLength(2);
    expect(said(world)[0]?.message).toContain(`${address} was on the load balancer that was here before`);
    expect(world.status?.zones[0]).toMatchObject({ keptIP: address });
    world.neutronAway = true;
    for (let round = 0; round < 5; round += 1) world.round();
    world.neutronAway = false;
    world.converge();
    expect(addresses(world)).toContain(address);
  });

  test("are kept when their balancer is in ERROR and is rebuilt", () => {
    const world = zoned();
    world.converge();
    world.intent = { ...world.intent, floatingIp: off };
    world.converge();
    const before = addresses(world);
    const { lb } = world.row(zoneBalancerName("az1"));
    lb.provisioningStatus = "ERROR";
    world.converge();
    expect(world.row(zoneBalancerName("az1")).lb.provisioningStatus).toBe("ACTIVE");
    expect(addresses(world).toSorted()).toEqual(before.toSorted());
  });

  test("that were kept are on their balancer again when floating IPs are switched on", () => {
    const { world, address } = lostInAz1();
    world.intent = { ...world.intent, floatingIp: { enabled: true, address: undefined } };
    world.converge();
    expect(addressOf(world, "az1")).toBe(address);
    expect(world.status?.zones[0]?.keptIP).toBeUndefined();
  });

  test("that were kept are forgotten when somebody deletes them, and go with their zone and with the cluster", () => {
    const { world, address } = lostInAz1();
    world.floatingIps = world.floatingIps.filter((one) => one.address !== address);
    world.converge();
    expect([said(world).length, world.status?.zones[0]?.keptIP]).toEqual([1, undefined]);
    const zone = lostInAz1();
    zone.world.intent = remapped(zone.world.intent, (zones) => zones.slice(1));
    zone.world.converge();
    expect(addresses(zone.world)).not.toContain(zone.address);
    const cluster = lostInAz1();
    deleted(cluster.world);
    cluster.world.converge();
    expect(addresses(cluster.world)).toEqual([]);
  });

  test("that were kept, and attached and detached again by somebody, are released", () => {
    const { world, address } = lostInAz1();
    const floatingIp = world.floatingIps.find((one) => one.address === address);
    Object.assign(floatingIp ?? {}, { portId: world.row(zoneBalancerName("az1")).lb.vipPortId });
    world.converge();
    delete floatingIp?.portId;
    world.converge();
    expect(addresses(world)).not.toContain(address);
  });
});

describe("a floating IP that is the cluster's endpoint", () => {
  function single(over: Parameters<typeof intent>[0] = {}): { readonly world: CloudModel; readonly host: string } {
    const world = new CloudModel(intent(over));
    world.join(machine("az1", 1));
    world.converge();
    return { world, host: world.intent.endpoint?.host ?? "" };
  }
  const ready = (world: CloudModel) =>
    world.status?.conditions
      .filter(({ type }) => ["Ready", "APIEndpointReady"].includes(type))
      .map(({ status, reason }) => [status, reason]);

  test.each(["the object's", "the Cluster's"])("is not released when another is on the VIP: %s", (whose) => {
    const { world, host } = single();
    if (whose === "the Cluster's")
      world.intent = {
        ...world.intent,
        endpoint: { host: "api.example.com", port: 6443 },
        clusterEndpoint: { host, port: 6443 },
      };
    const { vipPortId } = world.row(legacyName).lb;
    delete world.floatingIps[0]?.portId;
    world.addFloatingIp({ address: "203.0.113.99", portId: vipPortId, description: "an operator's" });
    world.converge();
    expect(world.floatingIps.map(({ address }) => address)).toContain(host);
    expect(ready(world)).toEqual([
      ["False", "EndpointNotOnLoadBalancer"],
      ["False", "EndpointNotOnLoadBalancer"],
    ]);
    world.neutronAway = true;
    world.round();
    expect(ready(world)?.map(([status]) => status)).toEqual(["Unknown", "Unknown"]);
    world.neutronAway = false;
    world.floatingIps = world.floatingIps.filter(({ address }) => address === host);
    world.converge();
    expect(ready(world)).toEqual([
      ["True", "AsExpected"],
      ["True", "AsExpected"],
    ]);
    deleted(world);
    world.converge();
    expect(world.floatingIps).toEqual([]);
  });

  test("is not released when floating IPs are switched off and somebody detaches it", () => {
    const { world, host } = single();
    world.intent = { ...world.intent, floatingIp: { enabled: false, address: undefined } };
    world.converge();
    expect(world.plan().refusals.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("it is the cluster's endpoint, and is deleted with the cluster"),
    );
    delete world.floatingIps[0]?.portId;
    world.converge();
    expect(world.floatingIps.map(({ address }) => address)).toEqual([host]);
    expect(ready(world)?.map(([, reason]) => reason)).toEqual([
      "EndpointNotOnLoadBalancer",
      "EndpointNotOnLoadBalancer",
    ]);
  });

  test("that is the VIP leaves everything as expected", () => {
    const { world } = single({ floatingIp: { enabled: false, address: undefined } });
    expect(world.intent.endpoint?.host).toBe(world.row(legacyName).lb.vipAddress);
    expect(ready(world)).toEqual([
      ["True", "AsExpected"],
      ["True", "AsExpected"],
    ]);
  });
});
