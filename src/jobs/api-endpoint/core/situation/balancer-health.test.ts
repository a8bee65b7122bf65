// What a balancer says of itself counts beside its members; what it only repeats of them does not.

import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  machine,
  refusing,
  tcpPorts,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";

const az = ["az1", "az2", "az3"] as const;
let world: CloudModel;

beforeEach(() => {
  world = new CloudModel(zonesIntent(az, { publishDns: true, crossZone: true, additionalPorts: tcpPorts(9345) }));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.nowMs += 600_000;
});

const row = (zone: string) => world.row(zoneBalancerName(zone));
const addressOf = (zone: string) =>
  world.floatingIps.find(({ portId }) => portId === row(zone).lb.vipPortId)?.address ?? "";
const zonesPublished = () => az.filter((zone) => world.object.dnsEndpoint?.addresses.includes(addressOf(zone)));
const rounds = (count: number) => {
  for (let round = 0; round < count; round += 1) world.round();
};
const say = (zone: string, operatingStatus: LoadBalancer["operatingStatus"]) =>
  Object.assign(row(zone).lb, { operatingStatus });

describe("a balancer that is dead while members of other zones answer behind it", () => {
  test.each(["ERROR", "OFFLINE"] as const)(
    "leaves the records when it has been %s for as long as the damping",
    (word) => {
      say("az2", word);
      world.round();
      expect(zonesPublished()).toEqual([...az]);
      expect(world.plan().waits.map(({ reason }) => reason)).toContain("ZoneLeavingDns");
      rounds(5);
      expect(zonesPublished()).toEqual(["az1", "az3"]);
      say("az2", "ONLINE");
      rounds(1);
      expect(zonesPublished()).toEqual([...az]);
    },
  );

  test("is shown and said", () => {
    say("az2", "ERROR");
    rounds(2);
    expect(world.status?.zones.map(({ health }) => health)).toEqual(["Healthy", "Unhealthy", "Healthy"]);
    expect(world.plan().refusals).toContainEqual({
      reason: "LoadBalancerDown",
      lane: { part: "az2" },
      message: `${zoneBalancerName("az2")} (id ${row("az2").lb.id}): Octavia says ERROR of the load balancer itself, although machines answer behind it; it does not count as a way in until that ends`,
    });
    expect(world.status?.conditions.find(({ type }) => type === "LoadBalancersReady")).toMatchObject({
      status: "False",
      reason: "LoadBalancerDown",
    });
  });

  test("so is one whose floating IP Neutron could not set up: it leaves the records", () => {
    const broken = world.floatingIps.find(({ portId }) => portId === row("az2").lb.vipPortId);
    Object.assign(broken ?? {}, { isInError: true });
    rounds(6);
    expect(zonesPublished()).toEqual(["az1", "az3"]);
    expect(world.status?.conditions.find(({ type }) => type === "LoadBalancersReady")).toMatchObject({
      status: "False",
      reason: "LoadBalancerDown",
      message: expect.stringContaining(`its floating IP ${addressOf("az2")} is in ERROR`),
    });
  });

  test("takes nobody's place, and is not taken away either while nobody else is known to serve", () => {
    for (const zone of ["az1", "az3"]) row(zone).lb.adminStateUp = false;
    say("az2", "ERROR");
    for (const one of world.machines) world.setDeleting(one.name);
    rounds(5);
    expect(world.members(zoneBalancerName("az2"))).toHaveLength(3);
    expect(world.plan().refusals.map(({ reason }) => reason)).toContain("LastHealthyEndpoint");
  });

  test("stays in the records when all of them are: never the last", () => {
    for (const zone of az) say(zone, "ERROR");
    rounds(10);
    expect(zonesPublished()).toEqual([...az]);
  });
});

describe("what a balancer only repeats of its children changes no records", () => {
  test.each(["ERROR", "DEGRADED"] as const)("%s, because nobody answers on an additional port", (word) => {
    const { pools, listeners } = row("az2");
    const side = listeners.find(({ port }) => port === 9345)?.defaultPoolId;
    for (const pool of pools)
      if (pool.id === side) for (const member of pool.members) member.address = `192.0.2.${member.id.slice(-1)}`;
    say("az2", word);
    world.nowMs += 60_000;
    // Nothing else is put right meanwhile.
    for (let look = 0; look < 5; look += 1) {
      const plan = world.plan();
      expect(plan.actions.filter(({ kind }) => kind === "apply-dns-endpoint")).toEqual([]);
      world.report(plan);
      world.nowMs += 10_000;
    }
    expect(zonesPublished()).toEqual([...az]);
  });

  test("DEGRADED, because some members of the API port do not answer", () => {
    world.up.delete("10.6.1.1");
    for (const zone of az) say(zone, "DEGRADED");
    rounds(10);
    expect(zonesPublished()).toEqual([...az]);
  });

  test("OFFLINE where nobody has ever checked anything says nothing: a provider without monitors may stay so", () => {
    world.capabilities = known(refusing({ provider: "amphora", feature: "health-monitor" }));
    for (const zone of az) row(zone).monitors = [];
    say("az2", "OFFLINE");
    rounds(10);
    expect(zonesPublished()).toEqual([...az]);
  });

  test("OFFLINE of one that people switched off is their wish: its zone leaves as it always did", () => {
    Object.assign(row("az2").lb, { adminStateUp: false, operatingStatus: "OFFLINE" });
    rounds(10);
    expect(zonesPublished()).toEqual(["az1", "az3"]);
    expect(world.plan().refusals.map(({ reason }) => reason)).not.toContain("LoadBalancerDown");
  });
});

describe("where balancers are probed", () => {
  /** Failures in a row, zone by zone. */
  const probed = (...failures: readonly number[]) => {
    world.probes = new Map(az.map((zone, index) => [row(zone).lb.id, { failuresInARow: failures[index] ?? 0 }]));
  };
  const shown = () => world.status?.zones.map(({ health, probe }) => [health, probe]);

  test("one that does not answer twice in a row leaves the records, whatever Octavia says", () => {
    probed(0, 1, 0);
    rounds(10);
    expect(zonesPublished()).toEqual([...az]);
    expect(shown()?.[1]).toEqual(["Healthy", "FailedOnce"]);
    expect(world.plan().waits).toContainEqual(
      expect.objectContaining({ reason: "ZoneLeavingDns", lane: { part: "az2" }, recheckAfterMs: 5_000 }),
    );
    probed(0, 2, 0);
    world.round();
    expect(zonesPublished()).toEqual([...az]);
    rounds(5);
    expect(zonesPublished()).toEqual(["az1", "az3"]);
    expect(shown()).toEqual([
      ["Healthy", "Answered"],
      ["Unhealthy", "Failed"],
      ["Healthy", "Answered"],
    ]);
    expect(world.plan().refusals.map(({ reason }) => reason)).toContain("LoadBalancerDown");
    probed(0, 0, 0);
    world.round();
    expect(zonesPublished()).toEqual([...az]);
  });

  test("none that answers means that our own network is broken: nothing leaves, and nothing is said of balancers", () => {
    probed(7, 7, 7);
    rounds(10);
    expect(zonesPublished()).toEqual([...az]);
    expect(world.plan().refusals.map(({ reason }) => reason)).not.toContain("LoadBalancerDown");
    expect(world.status?.conditions.find(({ type }) => type === "Ready")).toMatchObject({ status: "True" });
  });

  describe("while what is below it cannot be read", () => {
    test("one that does not answer leaves the records all the same, after the damping, and it is said", () => {
      row("az2").hidden = true;
      probed(0, 1, 0);
      rounds(10);
      expect(zonesPublished()).toEqual([...az]);
      probed(0, 2, 0);
      world.round();
      expect(zonesPublished()).toEqual([...az]);
      rounds(5);
      expect(zonesPublished()).toEqual(["az1", "az3"]);
      expect(shown()?.[1]).toEqual(["Unhealthy", "Failed"]);
      expect(world.status?.conditions.find(({ type }) => type === "LoadBalancersReady")).toMatchObject({
        status: "False",
        reason: "LoadBalancerDown",
        message: expect.stringContaining("nobody answers at its address"),
      });
      probed(0, 0, 0);
      rounds(3);
      expect(zonesPublished()).toEqual(["az1", "az3"]);
      row("az2").hidden = false;
      world.round();
      expect(zonesPublished()).toEqual([...az]);
    });

    test("nor what is below the others: those that answer, and were well when last seen, let it leave", () => {
      for (const zone of az) row(zone).hidden = true;
      probed(0, 2, 0);
      rounds(6);
      expect(zonesPublished()).toEqual(["az1", "az3"]);
    });

    test("never the last: none that is left answers as far as anybody knows", () => {
      for (const zone of az) row(zone).hidden = true;
      world.up.clear();
      world.probes = new Map([[row("az2").lb.id, { failuresInARow: 2 }]]);
      rounds(6);
      expect(zonesPublished()).toEqual([...az]);
    });

    test("its words do not change with every probe", () => {
      row("az2").hidden = true;
      const words = [2, 3, 9].map((failures) => {
        probed(0, failures, 0);
        world.report();
        return JSON.stringify(world.status?.conditions);
      });
      expect(new Set(words).size).toBe(1);
    });
  });

  describe("one that answers", () => {
    const lookOn = () => {
      probed(0, 0, 0);
      for (let look = 0; look < 5; look += 1) {
        world.report();
        world.nowMs += 10_000;
      }
      expect(world.plan().refusals.map(({ reason }) => reason)).not.toContain("LoadBalancerDown");
      return world.plan().actions.filter(({ kind }) => kind === "apply-dns-endpoint");
    };

    test("stays in the records, whatever its operating status is", () => {
      say("az2", "ERROR");
      expect(lookOn()).toEqual([]);
    });

    test("leaves them in ERROR all the same while others serve, because it is about to be rebuilt", () => {
      row("az2").lb.provisioningStatus = "ERROR";
      expect(lookOn()).toMatchObject([{ addresses: [addressOf("az1"), addressOf("az3")] }]);
    });

    test("and is in ERROR stays in them where nobody else serves", () => {
      row("az2").lb.provisioningStatus = "ERROR";
      for (const zone of ["az1", "az3"]) row(zone).lb.adminStateUp = false;
      const published = lookOn();
      const { addresses = [] } = published[0]?.kind === "apply-dns-endpoint" ? published[0] : {};
      expect(published.length === 0 || addresses.includes(addressOf("az2"))).toBe(true);
    });
  });

  test("one that does not answer takes nobody's place", () => {
    probed(0, 2, 2);
    for (const one of world.machines) world.setDeleting(one.name);
    rounds(20);
    expect(world.members(zoneBalancerName("az1"))).not.toEqual([]);
    expect(world.plan().refusals.map(({ reason }) => reason)).toContain("LastHealthyEndpoint");
  });
});
