import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../test/api-endpoint/cloud-model.ts";
import {
  intent,
  legacyName,
  machine,
  ownerId,
  placesOf,
  subnetOf,
  zoneBalancerName,
  zonesIntent,
} from "../../../test/api-endpoint/endpoint-builders.ts";
import { known } from "../known.ts";

function zoned(over: Parameters<typeof zonesIntent>[1] = {}): CloudModel {
  const world = new CloudModel(zonesIntent(["az1", "az2"], over));
  world.join(machine("az1", 1), machine("az2", 1));
  return world;
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

  test("an address that the user names goes to the first zone, is attached, and survives the cluster", () => {
    const world = zoned({ floatingIp: { enabled: true, address: "203.0.113.99" } });
    world.addFloatingIp({ address: "203.0.113.99" });
    world.converge();
    expect(addressOf(world, "az1")).toBe("203.0.113.99");
    world.machines = [];
    world.intent = { ...world.intent, deleting: true };
    world.converge();
    expect(world.floatingIps.map(({ address, tags }) => [address, tags])).toEqual([["203.0.113.99", []]]);
  });

  test("one that is attached elsewhere is not taken from there", () => {
    const world = zoned({ floatingIp: { enabled: true, address: "203.0.113.99" } });
    world.addFloatingIp({ address: "203.0.113.99", portId: "a-server" });
    world.converge();
    expect(world.floatingIps.find(({ address }) => address === "203.0.113.99")?.portId).toBe("a-server");
    expect(world.plan().refusals.map(({ reason }) => reason)).toContain("FloatingIpInUse");
  });

  test("a free one that the operator tagged for a zone is used there, and never deleted", () => {
    const world = zoned();
    const tags = [`mainstay-owner=${ownerId}`, "mainstay-zone=az2"];
    world.addFloatingIp({ address: "203.0.113.80", tags, description: "for DNS" });
    world.converge();
    expect(addressOf(world, "az2")).toBe("203.0.113.80");
    world.machines = [];
    world.intent = { ...world.intent, deleting: true };
    world.converge();
    expect(world.floatingIps.map(({ address, tags: left }) => [address, left])).toEqual([["203.0.113.80", tags]]);
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
    if (world.capabilities.known)
      world.capabilities = known({
        ...world.capabilities.value,
        refused: [...world.capabilities.value.refused, { provider: "neutron", feature: "floating-ip-tags" }],
      });
    world.join(machine("az1", 1));
    world.converge();
    expect(world.row(legacyName)).toBeDefined();
    world.machines = [];
    world.intent = { ...world.intent, deleting: true };
    world.converge();
    expect(world.floatingIps).toEqual([]);
  });
});

describe("one of ours that somebody attached to a port that is not ours", () => {
  function deleted(world: CloudModel): void {
    world.machines = [];
    world.intent = { ...world.intent, deleting: true };
  }

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
