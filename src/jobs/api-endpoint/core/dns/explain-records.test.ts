// Why a zone is in the records or not, in words for people: each row is a world.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zoneBalancerName, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { situationOf } from "../situation/situation.ts";
import { explainRecords, type ZoneRecords } from "./explain-records.ts";

const az = ["az1", "az2"] as const;
const later = "; its records stay for now: it may be back in a moment, or they are the last";

function zoned(): CloudModel {
  const world = new CloudModel(zonesIntent(az, { publishDns: true }));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.nowMs += 60_000;
  return world;
}

const row = (world: CloudModel, zone = "az1") => world.row(zoneBalancerName(zone));

function explained(world: CloudModel): readonly ZoneRecords[] {
  const observed = world.observe();
  const balancers = observed.balancers.known ? observed.balancers.value : [];
  return explainRecords(situationOf(observed, balancers, world.intent.ownerId ?? "", world.nowMs)).zones;
}

const breakIt = (zone: string) => (world: CloudModel) => void (row(world, zone).lb.provisioningStatus = "ERROR");
const unwatch = (world: CloudModel) => void (row(world).monitors = []);
const forget = (world: CloudModel) => {
  const zones = world.recorded.zones.map(({ dns: _, ...entry }) => entry);
  world.recorded = { ...world.recorded, zones };
  world.object = { ...world.object, dnsEndpoint: undefined };
};

describe("a zone is explained", () => {
  test.each<readonly [string | undefined, string, readonly ((world: CloudModel) => void)[]]>([
    [undefined, "where its members answer", []],
    [`its machine does not answer${later}`, "where none does", [(world) => world.up.delete("10.6.1.1")]],
    [
      "its machine does not answer",
      "where none has for a while",
      [
        (world) => {
          world.up.delete("10.6.1.1");
          for (let round = 0; round < 6; round += 1) world.round();
        },
      ],
    ],
    [
      `it has no machines${later}`,
      "where it is empty",
      [(world) => Object.assign(row(world).pools[0] ?? {}, { members: [] })],
    ],
    [
      "nobody knows whether its machine answers: no monitor watches them; its records stay as they were",
      "where nobody watches them",
      [unwatch],
    ],
    [
      "its health could not be seen (status tree: 503); its records stay as they were",
      "where it cannot be read",
      [(world) => void (row(world).hidden = true)],
    ],
    [
      `its balancer is switched off${later}`,
      "where somebody switched it off",
      [(world) => void (row(world).lb.adminStateUp = false)],
    ],
    [`its balancer is ERROR${later}`, "in ERROR, while another serves", [breakIt("az1")]],
    [
      "its balancer is ERROR; it may serve all the same, and no other is seen to",
      "in ERROR, while no other serves",
      [breakIt("az1"), breakIt("az2")],
    ],
    ["it has no floating IP yet", "without an address", [(world) => void (world.floatingIps = [])]],
    [
      `those that answer behind it are no Machines of this cluster${later}`,
      "where those who answer are nobody's",
      [(world) => world.leave("cp-az1-1")],
    ],
    [
      "it has no balancer yet",
      "before it is made",
      [
        (world) => {
          world.rows.splice(world.rows.indexOf(row(world)), 1);
          forget(world);
        },
      ],
    ],
  ])("as %j %s", (why, _where, changes) => {
    const world = zoned();
    for (const change of changes) change(world);
    expect(explained(world)[0]?.why).toBe(why);
  });

  test("with who answers, and as a guess only where it cannot be seen and nothing is remembered", () => {
    const world = zoned();
    world.join(machine("az1", 2));
    world.converge();
    world.up.delete("10.6.1.2");
    expect(explained(world)[0]).toMatchObject({ members: { healthy: 1, total: 2 }, isGuess: false });
    unwatch(world);
    expect(explained(world).map(({ isGuess }) => isGuess)).toEqual([false, false]);
    forget(world);
    expect(explained(world).map(({ isGuess }) => isGuess)).toEqual([true, false]);
  });
});
