import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../test/api-endpoint/model/cloud-model.ts";
import {
  amphora,
  dnsEndpoint,
  intent,
  legacyName,
  machine,
  ownerId,
  placesOf,
  subnetOf,
  tcpPorts,
  withMode,
  zoneBalancerName,
  zonesIntent,
} from "../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../core/known.ts";
import { endpointLane } from "./model/lanes.ts";

const az = ["az1", "az2", "az3"] as const;

function zoned(over: Parameters<typeof zonesIntent>[1] = {}, zones: readonly string[] = az): CloudModel {
  const world = new CloudModel(zonesIntent(zones, over));
  world.join(...zones.map((zone) => machine(zone, 1)));
  return world;
}

const refused = (world: CloudModel) => world.plan().refusals.map(({ reason, lane }) => [reason, lane?.part]);

describe("zones", () => {
  test("builds one balancer for each mapped zone, each with its own machines, and comes to rest", () => {
    const world = zoned();
    world.converge();
    expect(world.rows.map(({ lb }) => lb.name).toSorted()).toEqual(az.map(zoneBalancerName));
    expect(world.plan()).toEqual({ actions: [], waits: [], refusals: [] });
    expect(world.status?.conditions.filter(({ type, status }) => status !== "True" && type !== "Paused")).toEqual([]);
    expect(world.status?.provisioned).toBe(true);
  });

  test("one mapping is one zone: its balancer has the zone's name, and there is no other", () => {
    const world = zoned({}, ["az2"]);
    world.converge();
    expect(world.rows.map(({ lb }) => [lb.name, lb.vipSubnetId])).toEqual([[zoneBalancerName("az2"), "sub-az2"]]);
    expect(world.status?.zones.map(({ availabilityZone }) => availabilityZone)).toEqual(["az2"]);
  });

  test("claims the object before it makes anything", () => {
    const world = zoned({ ownerId: undefined });
    world.object.hasFinalizer = false;
    expect(world.plan().actions.map(({ kind }) => kind)).toEqual(["add-finalizer", "claim-owner-id"]);
  });

  test("writes where a balancer goes to status before it makes it", () => {
    const world = zoned();
    const plan = world.plan();
    expect(plan.actions).toEqual([]);
    expect(plan.waits.map(({ reason, lane }) => [reason, lane?.part])).toEqual(
      az.map((zone) => ["PlaceUnrecorded", zone]),
    );
    world.report(plan);
    expect(world.status?.zones.map(({ loadBalancerNetwork: place }) => [place?.id, place?.subnets])).toEqual(
      az.map((zone, index) => ["net", [{ id: `sub-${zone}`, name: zone, cidr: `10.0.${index + 1}.0/24`, tags: [] }]]),
    );
  });

  test("passes the zone as a hint where Octavia has it", () => {
    const world = zoned();
    world.converge();
    expect(world.row(zoneBalancerName("az2")).lb.availabilityZone).toBe("az2");
  });

  test.each([
    ["Octavia has no such zone", { ...amphora, availabilityZones: [] }, undefined],
    ["Octavia is older than 2.14", { ...amphora, version: [2, 13] as const }, undefined],
    ["the provider is OVN", amphora, "ovn"],
    [
      "the provider refused it before",
      { ...amphora, refused: [{ provider: "", feature: "availability-zone" as const }] },
      undefined,
    ],
  ])("leaves the hint out when %s, with one warning for each zone", (_, capabilities, provider) => {
    const world = zoned({ provider });
    world.capabilities = known(capabilities);
    world.converge();
    expect(world.rows.every(({ lb }) => lb.availabilityZone === undefined)).toBe(true);
    expect(refused(world)).toEqual(az.map((zone) => ["ZoneHintIgnored", zone]));
  });

  test("makes and takes away listener, pool and monitor as additional ports come and go", () => {
    const world = zoned({ additionalPorts: tcpPorts(9345) });
    world.converge();
    expect(world.row(zoneBalancerName("az1")).pools.map(({ name }) => name)).toEqual(
      ["6443", "9345"].map((port) => `${zoneBalancerName("az1")}-${port}`),
    );
    world.intent = { ...world.intent, additionalPorts: [] };
    world.converge();
    expect(world.row(zoneBalancerName("az1")).listeners.map(({ port }) => port)).toEqual([6443]);
    expect(world.row(zoneBalancerName("az1")).monitors).toHaveLength(1);
  });

  test("leaves a listener that somebody added to our balancer alone", () => {
    const world = zoned();
    world.converge();
    const row = world.row(zoneBalancerName("az1"));
    row.listeners.push({
      ...(row.listeners[0] as NonNullable<(typeof row.listeners)[0]>),
      id: "theirs",
      name: "theirs",
      port: 80,
      tags: [],
    });
    expect(world.converge()).toEqual([]);
    expect(row.listeners).toHaveLength(2);
  });

  test("corrects only the monitor timings that differ, and makes a missing monitor anew", () => {
    const world = zoned({}, ["az1"]);
    world.converge();
    const row = world.row(zoneBalancerName("az1"));
    world.intent = { ...world.intent, monitor: { ...world.intent.monitor, delaySeconds: 30 } };
    expect(world.plan().actions).toMatchObject([{ kind: "update-monitor", change: { delaySeconds: 30 } }]);
    world.converge();
    row.monitors = [];
    world.converge();
    expect(row.monitors).toMatchObject([{ delaySeconds: 30, timeoutSeconds: 5, type: "TCP" }]);
  });

  test("goes without a monitor where the provider has none: members count as healthy, and it is said", () => {
    const world = zoned({}, ["az1"]);
    world.capabilities = known({ ...amphora, refused: [{ provider: "amphora", feature: "health-monitor" }] });
    world.converge();
    expect(world.row(zoneBalancerName("az1")).monitors).toEqual([]);
    expect(world.status?.zones[0]?.health).toBe("Healthy");
    expect(refused(world)).toEqual([["MonitorUnsupported", "az1"]]);
  });

  test("keeps silent connections for the idle timeout, and puts it right again", () => {
    const world = zoned({ idleTimeoutMs: 900_000 }, ["az1"]);
    world.converge();
    const [listener] = world.row(zoneBalancerName("az1")).listeners;
    expect(listener).toMatchObject({ clientTimeoutMs: 900_000, memberTimeoutMs: 900_000 });
    if (listener !== undefined) listener.clientTimeoutMs = 50_000;
    world.converge();
    expect(listener?.clientTimeoutMs).toBe(900_000);
  });

  test("spreads by connection on OVN, and sends neither list nor zone", () => {
    const world = zoned({ provider: "ovn" }, ["az1"]);
    const pools = world.converge().filter((action) => action.kind === "create-pool");
    expect(pools).toMatchObject([{ wanted: { algorithm: "SOURCE_IP_PORT" } }]);
  });

  test("a provider or flavor that the cloud has not is left out, and told once", () => {
    const world = zoned({ provider: "vendor", flavor: "huge" }, ["az1"]);
    world.converge();
    expect(world.row(zoneBalancerName("az1")).lb).toMatchObject({ provider: "amphora" });
    expect(refused(world)).toEqual([
      ["ProviderNotFound", undefined],
      ["FlavorNotFound", undefined],
    ]);
  });

  test("the fixed IP is the first zone's, when it lies in its subnet", () => {
    const world = zoned({ fixedIp: "10.0.1.55" });
    world.converge();
    expect(world.row(zoneBalancerName("az1")).lb.vipAddress).toBe("10.0.1.55");
    const outside = zoned({ fixedIp: "192.0.2.1" });
    outside.converge();
    expect(refused(outside)).toEqual([["FixedIpIgnored", undefined]]);
    const second = zoned({ fixedIp: "10.0.2.55" });
    second.converge();
    expect(refused(second)).toEqual([["FixedIpIgnored", undefined]]);
    expect(second.rows.map(({ lb }) => lb.vipAddress)).not.toContain("10.0.2.55");
  });
});

test("the availabilityZone of a single balancer is its hint, where Octavia has it", () => {
  const world = new CloudModel(intent({ mode: "single", availabilityZone: "az3", subnets: [] }));
  world.converge();
  expect(world.rows.map(({ lb }) => [lb.name, lb.availabilityZone])).toEqual([[legacyName, "az3"]]);
});

describe("what only Neutron knows", () => {
  const places = (zone: string, found: Parameters<Map<string, never>["set"]>[1] | unknown) =>
    known(placesOf(az, { zoneSubnets: new Map([...placesOf(az).zoneSubnets, [zone, found as never]]) }));

  test.each([
    [
      "a subnet of another network",
      { found: "one", value: subnetOf("az2", { networkId: "other" }) },
      "SubnetNotInNetwork",
    ],
    ["a filter that matches none", { found: "none", message: "no subnet matches" }, "SubnetUnresolved"],
    ["a filter that matches many", { found: "many", message: "2 subnets match" }, "SubnetUnresolved"],
  ])("%s stops its own zone only", (_, found, reason) => {
    const world = zoned();
    world.places = places("az2", found);
    world.converge();
    expect(world.rows.map(({ lb }) => lb.name).toSorted()).toEqual([zoneBalancerName("az1"), zoneBalancerName("az3")]);
    expect(refused(world)).toContainEqual([reason, "az2"]);
    expect(world.status?.provisioned).toBe(false);
    expect(world.status?.conditions.find(({ type }) => type === "NetworkReady")).toMatchObject({
      status: "False",
      reason,
    });
  });

  test("two filters that lead to one subnet are refused in both zones", () => {
    const world = zoned();
    world.places = places("az2", { found: "one", value: subnetOf("az1") });
    world.converge();
    expect(world.rows.map(({ lb }) => lb.name)).toEqual([zoneBalancerName("az3")]);
    expect(refused(world).filter(([reason]) => reason === "SubnetDuplicate")).toHaveLength(2);
  });

  test("a filter that later leads elsewhere warns and moves nothing", () => {
    const world = zoned();
    world.converge();
    world.places = places("az2", { found: "one", value: subnetOf("az4") });
    expect(world.converge()).toEqual([]);
    expect(refused(world)).toEqual([["SubnetMoved", "az2"]]);
  });

  test("fewer zones are enough for the first time when the user says so", () => {
    const world = zoned({ consents: { repair: false, removeLegacy: false, adoptLegacy: false, minZones: 2 } });
    world.places = places("az2", { found: "none", message: "no subnet" });
    world.converge();
    expect(world.status?.provisioned).toBe(true);
  });
});

describe("a zone in trouble", () => {
  test("does not hold up its neighbours, and what cannot be seen is left as it is", () => {
    const world = zoned();
    world.converge();
    world.row(zoneBalancerName("az1")).hidden = true;
    world.intent = { ...world.intent, additionalPorts: tcpPorts(9345) };
    for (let round = 0; round < 12; round += 1) world.round();
    expect(az.map((zone) => world.row(zoneBalancerName(zone)).listeners.length)).toEqual([1, 2, 2]);
    expect(world.plan()).toMatchObject({ actions: [], waits: [{ lane: { part: "az1" } }] });
  });

  test("a balancer in ERROR is rebuilt with its VIP and floating IP while another zone is healthy", () => {
    const world = zoned();
    world.converge();
    const before = world.status?.zones[0];
    world.nowMs += 60_000;
    world.row(zoneBalancerName("az1")).lb.provisioningStatus = "ERROR";
    world.converge();
    expect(world.status?.zones[0]).toMatchObject({ ip: before?.ip, internalIP: before?.internalIP, health: "Healthy" });
    expect(world.status?.zones[0]?.id).not.toBe(before?.id);
    expect(world.floatingIps).toHaveLength(3);
  });

  test("a failover is asked for first, once, where it is not forbidden", () => {
    const world = zoned({}, ["az1", "az2"]);
    world.converge();
    world.capabilities = known({ ...amphora, refused: [] });
    world.row(zoneBalancerName("az1")).lb.provisioningStatus = "ERROR";
    expect(world.plan().actions.map(({ kind }) => kind)).toEqual(["failover-load-balancer"]);
    world.converge();
    expect(world.rows).toHaveLength(2);
  });

  test("the only balancer in ERROR is rebuilt by consent alone", () => {
    const world = zoned({}, ["az1"]);
    world.converge();
    world.nowMs += 60_000;
    world.row(zoneBalancerName("az1")).lb.provisioningStatus = "ERROR";
    expect(world.converge()).toEqual([]);
    expect(refused(world)).toContainEqual(["LoadBalancerInError", "az1"]);
    expect(world.status?.conditions.find(({ type }) => type === "LoadBalancersReady")).toMatchObject({
      status: "False",
      reason: "LoadBalancerInError",
    });
    world.intent = { ...world.intent, consents: { ...world.intent.consents, repair: true } };
    world.converge();
    expect(world.status?.zones[0]?.health).toBe("Healthy");
  });

  test("PENDING is a wait of seconds, and after a quarter of an hour people are told", () => {
    const world = zoned({}, ["az1"]);
    world.converge();
    const { lb } = world.row(zoneBalancerName("az1"));
    lb.provisioningStatus = "PENDING_UPDATE";
    lb.updatedAt = new Date(world.nowMs).toISOString().slice(0, 19);
    expect(world.plan().waits).toMatchObject([{ reason: "LoadBalancerPending", recheckAfterMs: 3_000 }]);
    world.nowMs += 16 * 60_000;
    expect(world.plan().waits).toMatchObject([{ reason: "LoadBalancerStuck", recheckAfterMs: 60_000 }]);
  });

  test("later it only degrades: the cluster stays provisioned", () => {
    const world = zoned();
    world.converge();
    world.row(zoneBalancerName("az1")).lb.provisioningStatus = "ERROR";
    world.report();
    expect(world.status?.provisioned).toBe(true);
    expect(world.status?.conditions.find(({ type }) => type === "LoadBalancersReady")?.status).toBe("False");
    expect(world.status?.conditions.find(({ type }) => type === "APIEndpointReady")?.status).toBe("True");
  });
});

describe("the endpoint", () => {
  test("without zones is the floating IP, once the balancer is whole", () => {
    const world = new CloudModel(intent());
    world.join(machine("az1", 1));
    world.converge();
    expect(world.intent.endpoint).toEqual({ host: world.floatingIps[0]?.address, port: 6443 });
    expect(world.rows.map(({ lb }) => lb.name)).toEqual([legacyName]);
  });

  test("without floating IPs is the VIP", () => {
    const world = new CloudModel(intent({ floatingIp: { enabled: false, address: undefined } }));
    world.converge();
    expect(world.intent.endpoint?.host).toBe(world.rows[0]?.lb.vipAddress);
  });

  test("a user's host is never overwritten; a missing port is filled in", () => {
    const world = new CloudModel(intent({ endpoint: { host: "api.example.com", port: 0 } }));
    world.converge();
    expect(world.intent.endpoint).toEqual({ host: "api.example.com", port: 6443 });
    const zones = zoned({ endpoint: { host: "api.example.com", port: 0 } });
    zones.converge();
    expect(zones.intent.endpoint).toEqual({ host: "api.example.com", port: 6443 });
  });

  test("without a balancer is a floating IP that is kept for the machines, or the fixed IP, or an error", () => {
    const floating = new CloudModel(intent({ mode: "none" }));
    floating.converge();
    expect(floating.intent.endpoint?.host).toBe(floating.floatingIps[0]?.address);
    expect(floating.rows).toEqual([]);
    const fixed = new CloudModel(
      intent({ mode: "none", floatingIp: { enabled: false, address: undefined }, fixedIp: "10.6.0.5" }),
    );
    fixed.converge();
    expect(fixed.intent.endpoint).toEqual({ host: "10.6.0.5", port: 6443 });
    const nothing = new CloudModel(intent({ mode: "none", floatingIp: { enabled: false, address: undefined } }));
    nothing.converge();
    expect(refused(nothing)).toEqual([["EndpointUndetermined", undefined]]);
  });

  test("through the other door hands the endpoint to CAPO when the balancers are whole, host and port together", () => {
    const world = zoned({ door: "APIEndpoint" });
    world.object.handOff = "waiting";
    const done = world.converge();
    expect(done.filter(({ kind }) => kind === "hand-off-endpoint")).toEqual([
      { kind: "hand-off-endpoint", ...dnsEndpoint, lane: endpointLane, because: "GateClosed" },
    ]);
    expect(done.findIndex(({ kind }) => kind === "hand-off-endpoint")).toBeGreaterThan(
      done.findLastIndex(({ kind }) => kind === "create-pool"),
    );
  });

  test.each([
    ["", "missing"],
    ["192.0.2.1", "IPv4"],
    ["2001:db8::1", "IPv6"],
    ["[2001:db8::1]", "bracketed IPv6"],
  ])("zones refuse the host %j (%s)", (host) => {
    const world = zoned({ endpoint: { host, port: 6443 } });
    expect(world.converge()).toEqual([]);
    expect(refused(world)).toEqual([["EndpointNotDnsName", undefined]]);
  });

  test("problems of the object are told one by one, and nothing is made", () => {
    const world = zoned();
    world.problems = [
      { where: "spec.a", message: "is wrong", hint: "Change it." },
      { where: "spec.b", message: "too", hint: "Also." },
    ];
    expect(world.converge()).toEqual([]);
    expect(refused(world)).toEqual([
      ["EndpointSpecInvalid", undefined],
      ["EndpointSpecInvalid", undefined],
    ]);
  });
});

describe("the end", () => {
  test("paused means no call, also while deleting, as in a move", () => {
    const world = zoned();
    world.converge();
    world.object.paused = true;
    world.intent = { ...world.intent, deleting: true };
    expect(world.plan()).toMatchObject({ actions: [], waits: [], refusals: [{ reason: "EndpointPaused" }] });
    world.report();
    expect(world.status?.zones).toHaveLength(3);
    expect(world.status?.conditions.find(({ type }) => type === "Paused")?.status).toBe("True");
  });

  test("waits for the machines, and through the other door does not", () => {
    const world = zoned();
    world.converge();
    world.intent = { ...world.intent, deleting: true };
    expect(world.plan()).toMatchObject({ actions: [], waits: [{ reason: "MachinesRemain" }] });
    world.intent = { ...world.intent, door: "APIEndpoint" };
    world.converge();
    expect([world.rows, world.floatingIps, world.object.hasFinalizer]).toEqual([[], [], false]);
  });

  test("a floating IP that may not be deleted holds the finalizer, and nothing else", () => {
    const world = zoned();
    world.converge();
    world.machines = [];
    world.intent = { ...world.intent, deleting: true };
    for (let round = 0; round < 6; round += 1) {
      for (const action of world.plan().actions)
        if (action.kind !== "delete-floating-ip" || action.address.endsWith("1")) world.apply(action);
      world.settle();
    }
    expect(world.rows).toEqual([]);
    expect(world.object.hasFinalizer).toBe(true);
    world.converge();
    expect([world.floatingIps, world.object.hasFinalizer]).toEqual([[], false]);
  });

  test("a moved object with empty status finds everything again by tag and makes nothing twice", () => {
    const world = zoned();
    world.converge();
    const before = JSON.stringify([world.rows, world.floatingIps]);
    world.recorded = { zones: [], single: undefined, networkId: undefined };
    world.object.provisioned = false;
    world.object.uid = "another";
    expect(world.converge()).toEqual([]);
    expect(JSON.stringify([world.rows, world.floatingIps])).toBe(before);
    expect(world.status?.provisioned).toBe(true);
  });

  test("a balancer made twice by a lost answer: the one that status knows stays", () => {
    const world = zoned({}, ["az1"]);
    world.converge();
    const { id } = world.row(zoneBalancerName("az1")).lb;
    world.addBalancer({
      name: zoneBalancerName("az1"),
      tags: [`mainstay-owner=${ownerId}`, "mainstay-zone=az1"],
      vipAddress: "10.0.1.77",
    });
    world.converge();
    expect(world.rows.map(({ lb }) => lb.id)).toEqual([id]);
  });

  test("switching balancers off keeps the last way in until that is agreed", () => {
    const world = zoned();
    world.converge();
    world.intent = withMode(world.intent, { mode: "none" });
    world.converge();
    expect(world.rows.map(({ lb }) => lb.name)).toEqual([zoneBalancerName("az1")]);
    world.intent = { ...world.intent, consents: { ...world.intent.consents, removeLegacy: true } };
    world.converge();
    expect(world.rows).toEqual([]);
  });
});
