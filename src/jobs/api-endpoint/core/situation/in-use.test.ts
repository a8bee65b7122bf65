// What may be in use is not torn down without another way in or consent, whatever status has forgotten and Octavia says of itself.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  dnsEndpoint,
  intent,
  legacyName,
  machine,
  remapped,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { tcpPort } from "../model/port.ts";

type Wish = Parameters<typeof intent>[0];

const kinds = (world: CloudModel) => world.plan().actions.map(({ kind }) => kind);
const reported = (world: CloudModel) => world.plan().refusals.map(({ reason }) => reason);

/** One balancer at rest, which then ends in ERROR while everything that status knew is lost. */
function forgottenInError(over: Wish = {}): CloudModel {
  const world = new CloudModel(intent({ endpoint: dnsEndpoint, ...over }));
  world.join(machine("az1", 1));
  world.converge();
  world.nowMs += 600_000;
  for (const { lb } of world.rows) lb.provisioningStatus = "ERROR";
  world.recorded = { zones: [], single: undefined, networkId: undefined };
  world.object.provisioned = false;
  return world;
}

/** Nobody is seen to answer: what Octavia says of members below a balancer in ERROR may be old. */
function silent(world: CloudModel): CloudModel {
  world.up.clear();
  return world;
}

/** No floating IP leads to it. */
function unaddressed(world: CloudModel): CloudModel {
  world.floatingIps = [];
  return world;
}

const byVip: Wish = { floatingIp: { enabled: false, address: undefined } };

describe("the only balancer in ERROR, of which status says nothing, stays", () => {
  test.each<readonly [string, () => CloudModel]>([
    ["while a member answers", () => unaddressed(forgottenInError())],
    ["while a floating IP leads to it", () => silent(forgottenInError())],
    [
      "while Neutron is away and one may lead to it",
      () => Object.assign(unaddressed(silent(forgottenInError())), { neutronAway: true }),
    ],
    [
      "while a record of ours names it",
      () => {
        const world = unaddressed(silent(forgottenInError({ publishDns: true })));
        const { vipAddress } = world.row(legacyName).lb;
        world.object.dnsEndpoint = { host: dnsEndpoint.host, addresses: [vipAddress] };
        return world;
      },
    ],
    [
      "while status remembers a record of it",
      () => {
        const world = unaddressed(silent(forgottenInError({ publishDns: true })));
        const { id, vipAddress: internalAddress } = world.row(legacyName).lb;
        const place = { networkId: "net", subnetId: "sub-nodes" };
        const dns = { addresses: [internalAddress], badSinceMs: undefined };
        const single = { id, name: legacyName, address: undefined, internalAddress, ...place, dns };
        world.recorded = { ...world.recorded, single };
        return world;
      },
    ],
    [
      "while the endpoint is its VIP",
      () => {
        const world = unaddressed(silent(forgottenInError()));
        const { vipAddress } = world.row(legacyName).lb;
        world.intent = { ...world.intent, endpoint: { host: vipAddress, port: 6443 } };
        return world;
      },
    ],
    [
      "while the Cluster's own endpoint is its VIP",
      () => {
        const world = unaddressed(silent(forgottenInError()));
        const { vipAddress } = world.row(legacyName).lb;
        world.intent = { ...world.intent, clusterEndpoint: { host: vipAddress, port: 6443 } };
        return world;
      },
    ],
    [
      "while a floating IP that others made leads to it, with nobody behind it yet",
      () => {
        const world = forgottenInError();
        for (const one of world.floatingIps) Object.assign(one, { description: "CAPO's", tags: [] });
        for (const pool of world.row(legacyName).pools) pool.members = [];
        return world;
      },
    ],
    [
      "while people may have put its VIP into records of their own",
      () => silent(forgottenInError({ ...byVip, endpoint: dnsEndpoint })),
    ],
    [
      "while nobody watches its members",
      () => {
        const world = unaddressed(silent(forgottenInError()));
        world.row(legacyName).monitors = [];
        return world;
      },
    ],
    [
      "while a port beside the API's may be in use",
      () => {
        const world = silent(forgottenInError({ additionalPorts: [tcpPort(9345)] }));
        const { listeners, pools } = world.row(legacyName);
        const api = listeners.find(({ port }) => port === 6443)?.defaultPoolId;
        for (const pool of pools) if (pool.id === api) pool.members = [];
        return world;
      },
    ],
  ])("%s, until somebody agrees", (_why, make) => {
    const world = make();
    const { id } = world.row(legacyName).lb;
    expect(kinds(world)).not.toContain("delete-load-balancer");
    for (let round = 0; round < 10; round += 1) world.round();
    expect(world.row(legacyName).lb).toMatchObject({ id, provisioningStatus: "ERROR" });
    expect(reported(world)).toContain("LoadBalancerInError");
    world.intent = { ...world.intent, consents: { ...world.intent.consents, repair: true } };
    // While Neutron is away it would come back without its address.
    expect(kinds(world).includes("delete-load-balancer")).toBe(!world.neutronAway);
    world.neutronAway = false;
    expect(kinds(world)).toContain("delete-load-balancer");
  });
});

describe("a balancer that failed as it was made is made again without consent, or a cluster never begins", () => {
  test.each<readonly [string, Wish]>([
    ["with a floating IP to come", {}],
    ["at the endpoint's own address", { ...byVip, endpoint: { host: "10.6.0.50", port: 6443 } }],
    ["with records of others", { ...byVip, endpoint: dnsEndpoint }],
  ])("%s", (_how, over) => {
    const world = new CloudModel(intent(over));
    world.join(machine("az1", 1));
    while (world.rows.length === 0) world.round();
    const { lb } = world.row(legacyName);
    lb.provisioningStatus = "ERROR";
    world.nowMs += 600_000;
    world.converge();
    expect(world.row(legacyName).lb.id).not.toBe(lb.id);
    expect(world.object.provisioned).toBe(true);
  });

  test("also one of several that has its address already, before any machine has come", () => {
    const world = new CloudModel(zonesIntent(["az1", "az2"], { publishDns: true }));
    for (let round = 0; round < 4; round += 1) {
      world.round();
      world.object.provisioned = false;
    }
    const { lb, pools } = world.row(zoneBalancerName("az2"));
    expect([pools.length, world.floatingIps.length]).toEqual([1, 2]);
    lb.provisioningStatus = "ERROR";
    world.nowMs += 600_000;
    world.converge();
    expect(world.row(zoneBalancerName("az2")).lb.id).not.toBe(lb.id);
  });

  test("also where the endpoint names it, or others put a floating IP on it, while its listener leads to no pool", () => {
    const world = forgottenInError(byVip);
    const { lb, listeners } = world.row(legacyName);
    world.intent = { ...world.intent, endpoint: { host: lb.vipAddress, port: 6443 } };
    world.addFloatingIp({ portId: lb.vipPortId, description: "somebody's" });
    expect(kinds(world)).not.toContain("delete-load-balancer");
    world.row(legacyName).pools = [];
    for (const listener of listeners) delete (listener as { defaultPoolId?: string }).defaultPoolId;
    expect(kinds(world)).toContain("delete-load-balancer");
  });

  test.each<readonly [string, Wish]>([
    ["a floating IP is to come and records are ours", { publishDns: true }],
    ["a floating IP is to come and records are others'", {}],
    ["we publish VIPs, and not yet this one", { ...byVip, publishDns: true }],
  ])("also with a member that never answered, where no address leads to it: %s", (_where, over) => {
    const world = unaddressed(silent(forgottenInError(over)));
    world.object = { ...world.object, dnsEndpoint: undefined };
    expect(kinds(world)).toContain("delete-load-balancer");
  });
});

describe("balancers that are no longer wanted, of which status says nothing", () => {
  test("stay in ERROR as long as people may come through the last of them", () => {
    const world = silent(forgottenInError());
    world.intent = intent({ mode: "none", endpoint: dnsEndpoint });
    for (let round = 0; round < 10; round += 1) world.round();
    expect(world.rows).toHaveLength(1);
    expect(reported(world)).toContain("LastLoadBalancerKept");
  });

  test("stay while a record leads to them and nobody is seen to answer anywhere", () => {
    const world = new CloudModel(zonesIntent(["az1", "az2"]));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    world.nowMs += 600_000;
    silent(world);
    world.object.provisioned = false;
    world.intent = remapped(world.intent, (zones) => zones.slice(0, 1));
    for (let round = 0; round < 10; round += 1) world.round();
    expect(world.rows).toHaveLength(2);
    expect(reported(world)).toContain("LastHealthyEndpoint");
  });

  test("serve on for as long as resolvers may remember them", () => {
    const world = new CloudModel(zonesIntent(["az1", "az2"], { publishDns: true }));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    world.nowMs += 600_000;
    world.object.provisioned = false;
    world.intent = remapped(world.intent, (zones) => zones.slice(0, 1));
    expect(world.plan().waits.map(({ reason }) => reason)).toContain("LoadBalancerLeaving");
    world.round();
    expect(world.rows).toHaveLength(2);
  });
});

describe("of several balancers in ERROR that may serve", () => {
  const az = ["az1", "az2", "az3"] as const;

  function zoned(...broken: readonly string[]): CloudModel {
    const world = new CloudModel(zonesIntent(az));
    world.join(...az.map((zone) => machine(zone, 1)));
    world.converge();
    world.nowMs += 600_000;
    for (const zone of broken) world.row(zoneBalancerName(zone)).lb.provisioningStatus = "ERROR";
    return world;
  }

  const there = (world: CloudModel) =>
    az.filter((zone) => world.rows.some(({ lb }) => lb.name === zoneBalancerName(zone)));

  test.each([
    ["", false],
    [", also with consent", true],
  ])("one is rebuilt at a time: two of three never go together%s", (_how, repair) => {
    const world = zoned("az1", "az2");
    const ids = world.rows.map(({ lb }) => lb.id);
    world.intent = { ...world.intent, consents: { ...world.intent.consents, repair } };
    for (let round = 0; round < 60; round += 1) {
      const { actions } = world.round();
      expect(actions.filter(({ kind }) => kind === "delete-load-balancer").length).toBeLessThan(2);
      expect(world.waysIn()).toBeGreaterThanOrEqual(2);
    }
    expect(world.rows.map(({ lb }) => lb.provisioningStatus)).toEqual(["ACTIVE", "ACTIVE", "ACTIVE"]);
    expect(world.rows.filter(({ lb }) => ids.includes(lb.id))).toHaveLength(1);
  });

  test("the second waits until the first is there again, and says for whom", () => {
    const world = zoned("az1", "az2");
    world.round();
    expect(there(world)).toEqual(["az2", "az3"]);
    const { actions, refusals } = world.plan();
    expect(actions).toEqual([]);
    expect(refusals).toContainEqual({
      reason: "LoadBalancerInError",
      lane: { part: "az2" },
      message: `${zoneBalancerName("az2")}: in ERROR, and it is not rebuilt because ${zoneBalancerName("az1")} is being made again, and only one is taken down at a time`,
    });
  });

  test("one that lets nobody in is made again first, and one that may serve waits for it", () => {
    const world = zoned("az1", "az2");
    for (const pool of world.row(zoneBalancerName("az2")).pools) pool.members = [];
    expect(world.plan().actions.map(({ kind, lane }) => [kind, lane?.part])).toEqual([["delete-load-balancer", "az2"]]);
    world.converge();
    expect(world.rows.map(({ lb }) => lb.provisioningStatus)).toEqual(["ACTIVE", "ACTIVE", "ACTIVE"]);
  });

  test("a zone that was never made holds up none", () => {
    const world = zoned("az1");
    world.intent = remapped(world.intent, (zones) => [...zones, { zone: "az4", subnet: { id: "sub-nowhere" } }]);
    expect(world.plan().actions.map(({ kind, lane }) => [kind, lane?.part])).toEqual([["delete-load-balancer", "az1"]]);
  });

  test("with pools in ERROR, one port is made again after the other", () => {
    const world = zoned();
    for (const zone of ["az1", "az2"])
      Object.assign(world.row(zoneBalancerName(zone)).pools[0] ?? {}, { status: "ERROR" });
    expect(world.plan().actions.map(({ kind, lane }) => [kind, lane?.part])).toEqual([["delete-pool", "az1"]]);
    world.converge();
    expect(world.rows.flatMap(({ pools }) => pools).map(({ status }) => status)).toEqual([
      "ACTIVE",
      "ACTIVE",
      "ACTIVE",
    ]);
  });

  test("a fall-back that is broken and empty holds up no zone: it is not made again", () => {
    const world = zoned("az1");
    const fallback = world.addFallback();
    fallback.lb.provisioningStatus = "ERROR";
    for (const pool of fallback.pools) pool.members = [];
    const { id, vipAddress: internalAddress } = fallback.lb;
    const single = {
      id,
      name: legacyName,
      address: undefined,
      internalAddress,
      networkId: "net",
      subnetId: "sub-nodes",
    };
    world.recorded = { ...world.recorded, single };
    expect(world.plan().actions.map(({ kind, lane }) => [kind, lane?.part])).toContainEqual([
      "delete-load-balancer",
      "az1",
    ]);
  });

  test("none is rebuilt when all of them are: one may be the last that serves", () => {
    const world = zoned(...az);
    for (let round = 0; round < 10; round += 1) world.round();
    expect(there(world)).toEqual([...az]);
    expect(world.plan().actions).toEqual([]);
  });
});

test("the last member that answers stays while only a balancer in ERROR may serve beside it", () => {
  const world = new CloudModel(zonesIntent(["az1", "az2"]));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  world.nowMs += 600_000;
  world.row(zoneBalancerName("az2")).lb.provisioningStatus = "ERROR";
  world.setDeleting("cp-az1-1");
  expect(kinds(world)).toEqual(["delete-load-balancer"]);
  expect(reported(world)).toContain("LastHealthyEndpoint");
});
