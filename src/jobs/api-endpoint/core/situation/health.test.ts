import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  amphora,
  dnsEndpoint,
  intent,
  legacyName,
  machine,
  tcpPorts,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";

type Wish = Parameters<typeof zonesIntent>[1];
const az = ["az1", "az2"] as const;

function zoned(over: Wish = {}): CloudModel {
  const world = new CloudModel(zonesIntent(az, { publishDns: true, ...over }));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.nowMs += 60_000;
  return world;
}

/** Zone az2 is dead and out of the records; the last healthy machine, in az1, is on its way out. */
function onTheLastLeg(over: Wish = {}): CloudModel {
  const world = zoned(over);
  world.up.delete("10.6.2.1");
  world.converge();
  world.setDeleting("cp-az1-1");
  world.converge();
  return world;
}

const row = (world: CloudModel, zone: string) => world.row(zoneBalancerName(zone));
const behind = (world: CloudModel, zone: string) => world.members(zoneBalancerName(zone));
const published = (world: CloudModel) => world.object.dnsEndpoint?.addresses;
const reported = (world: CloudModel) => world.plan().refusals.map(({ reason }) => reason);
const shown = (world: CloudModel) => world.status?.zones.map(({ health, members }) => [health, members?.healthy]);
const noMonitors = known({ ...amphora, refused: [{ provider: "amphora", feature: "health-monitor" as const }] });

function unwatched(world: CloudModel, ...zones: readonly string[]): void {
  for (const zone of zones) row(world, zone).monitors = [];
}
/** No monitor is made meanwhile. */
const unseenCapabilities = { known: false, reason: "OpenStackServerError", message: "503" } as const;

/** As long as anything is done, and looked at after every round. */
function rounds(world: CloudModel, look: () => void): void {
  for (let round = 0; round < 60; round += 1) {
    const { actions } = world.round();
    look();
    if (actions.length === 0) return;
  }
}

describe("members that nobody watches, where there should be a monitor", () => {
  test.each<readonly [string, Wish, (world: CloudModel) => void]>([
    ["because somebody deleted it", {}, (world) => unwatched(world, "az2")],
    [
      "because it is away while a listener is made again",
      { provider: "ovn", additionalPorts: tcpPorts(9345) },
      (world) => {
        const there = row(world, "az2");
        there.listeners = there.listeners.filter(({ port }) => port === 6443);
      },
    ],
    [
      "because a port is added",
      { provider: "ovn" },
      (world) => {
        world.intent = { ...world.intent, additionalPorts: tcpPorts(9345) };
      },
    ],
  ])("replace nobody and come into no records, %s", (_why, over, change) => {
    const world = onTheLastLeg(over);
    const before = published(world);
    expect(before).toHaveLength(1);
    change(world);
    rounds(world, () => {
      expect(behind(world, "az1")).toEqual(["10.6.1.1"]);
      expect(published(world)).toEqual(before);
    });
    expect(row(world, "az2").monitors).toHaveLength(row(world, "az2").pools.length);
    expect(reported(world)).toContain("LastHealthyEndpoint");
  });

  test("stay in the records, and are shown as unknown", () => {
    const world = zoned();
    const both = published(world);
    world.capabilities = unseenCapabilities;
    unwatched(world, ...az);
    for (let look = 0; look < 10; look += 1) world.round();
    expect(published(world)).toEqual(both);
    expect(shown(world)).toEqual([
      ["Unknown", 0],
      ["Unknown", 0],
    ]);
    expect(reported(world)).not.toContain("MembersUnhealthy");
  });

  test("stay behind another zone's balancer when cross-zone is switched off", () => {
    const world = zoned({ crossZone: true });
    world.capabilities = unseenCapabilities;
    unwatched(world, "az2");
    world.intent = { ...world.intent, crossZone: false };
    for (let look = 0; look < 10; look += 1) world.round();
    expect([behind(world, "az1"), behind(world, "az2")]).toEqual([
      ["10.6.1.1", "10.6.2.1"],
      ["10.6.1.1", "10.6.2.1"],
    ]);
    world.capabilities = known(amphora);
    world.converge();
    expect([behind(world, "az1"), behind(world, "az2")]).toEqual([["10.6.1.1"], ["10.6.2.1"]]);
  });

  test("stay while their machine is being deleted and nobody is known to answer elsewhere", () => {
    const world = zoned();
    world.capabilities = unseenCapabilities;
    unwatched(world, ...az);
    world.setDeleting("cp-az1-1");
    for (let look = 0; look < 5; look += 1) world.round();
    expect(behind(world, "az1")).toEqual(["10.6.1.1"]);
    expect(reported(world)).toContain("LastHealthyEndpoint");
    world.leave("cp-az1-1");
    for (let look = 0; look < 5; look += 1) world.round();
    expect([behind(world, "az1"), behind(world, "az2")]).toEqual([[], ["10.6.2.1"]]);
  });

  test("keep their balancer when zones are switched off and the one that is kept does not reach them", () => {
    const world = zoned();
    world.intent = intent({ endpoint: dnsEndpoint });
    while (!world.ours().some(({ lb }) => lb.name === legacyName) || world.members(legacyName).length < 2)
      world.round();
    unwatched(world, "az2");
    world.up.delete("10.6.2.1");
    for (let look = 0; look < 20; look += 1) world.round();
    expect(behind(world, "az2")).toEqual(["10.6.2.1"]);
  });

  test("keep a port that is no longer asked for while nobody is known to answer on the API's", () => {
    const world = zoned({ additionalPorts: tcpPorts(9345) });
    world.capabilities = unseenCapabilities;
    unwatched(world, "az1");
    world.intent = { ...world.intent, additionalPorts: [] };
    for (let look = 0; look < 10; look += 1) world.round();
    expect(az.map((zone) => row(world, zone).listeners.length)).toEqual([2, 1]);
  });

  test("do not make a cluster that begins wait: it is provisioned, and its name leads to every zone", () => {
    const world = new CloudModel(zonesIntent(az, { publishDns: true }));
    world.join(...az.map((zone) => machine(zone, 1)));
    for (let round = 0; round < 30; round += 1) {
      for (const each of world.rows) each.monitors = [];
      world.round();
    }
    expect(world.object.provisioned).toBe(true);
    expect(published(world)).toHaveLength(2);
  });
});

describe("where the provider has no monitors", () => {
  test("members count: they are published, and one may replace the other", () => {
    const world = new CloudModel(zonesIntent(az, { publishDns: true }));
    world.capabilities = noMonitors;
    world.join(...az.map((zone) => machine(zone, 1)));
    world.converge();
    expect(shown(world)).toEqual([
      ["Healthy", 1],
      ["Healthy", 1],
    ]);
    expect(published(world)).toHaveLength(2);
    world.setDeleting("cp-az1-1");
    world.converge();
    expect([behind(world, "az1"), behind(world, "az2")]).toEqual([[], ["10.6.2.1"]]);
  });
});

describe("what is no way in takes nobody's place", () => {
  test.each<readonly [string, (world: CloudModel) => void]>([
    [
      "a member that is being deleted",
      (world) => {
        for (const { members } of row(world, "az2").pools)
          for (const member of members) member.provisioningStatus = "PENDING_DELETE";
      },
    ],
    ["a balancer that is switched off", (world) => Object.assign(row(world, "az2").lb, { adminStateUp: false })],
    [
      "a listener that is switched off",
      (world) => {
        for (const listener of row(world, "az2").listeners) listener.adminStateUp = false;
      },
    ],
  ])("%s", (_what, change) => {
    const world = zoned();
    change(world);
    world.setDeleting("cp-az1-1");
    expect(world.plan().actions).not.toContainEqual(
      expect.objectContaining({ kind: "remove-member", lane: { part: "az1" } }),
    );
    expect(reported(world)).toContain("LastHealthyEndpoint");
  });
});

describe("make before break", () => {
  test("a machine's old address stays while the new one does not answer", () => {
    const world = zoned();
    world.machines = world.machines.map((one) => (one.zone === "az1" ? { ...one, addresses: ["10.6.1.9"] } : one));
    world.converge();
    expect(behind(world, "az1")).toEqual(["10.6.1.1", "10.6.1.9"]);
    world.up.add("10.6.1.9");
    world.converge();
    expect(behind(world, "az1")).toEqual(["10.6.1.9"]);
  });

  test("a member stays in another zone's pool while it does not answer at home", () => {
    const world = zoned({ crossZone: true });
    // At home it has another address, at which nobody answers.
    for (const { members } of row(world, "az1").pools)
      for (const member of members) if (member.address === "10.6.1.1") member.address = "10.6.1.9";
    world.machines = world.machines.map((one) =>
      one.zone === "az1" ? { ...one, addresses: ["10.6.1.9", "10.6.1.1"] } : one,
    );
    world.intent = { ...world.intent, crossZone: false };
    world.converge();
    expect(behind(world, "az2")).toEqual(["10.6.1.1", "10.6.2.1"]);
    world.up.add("10.6.1.9");
    world.converge();
    expect(behind(world, "az2")).toEqual(["10.6.2.1"]);
  });

  test("zones that are switched off leave a balancer that answers, not one that does not", () => {
    const world = zoned();
    world.up.delete("10.6.1.1");
    world.converge();
    const kept = row(world, "az2").lb.id;
    world.recorded = { ...world.recorded, single: undefined };
    world.intent = intent({ endpoint: dnsEndpoint });
    world.round();
    expect(world.row(legacyName).lb.id).toBe(kept);
  });
});
