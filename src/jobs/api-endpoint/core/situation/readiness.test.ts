// How many balancers have to be made before a cluster begins, and what below one says that it is not whole.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  intent,
  legacyName,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { EndpointIntent } from "../model/intent.ts";
import { enoughMade, wholeness } from "./readiness.ts";
import { type Situation, situationOf } from "./situation.ts";

const az = ["az1", "az2", "az3"] as const;

function situationIn(world: CloudModel): Situation {
  const observed = world.observe();
  const balancers = observed.balancers.known ? observed.balancers.value : [];
  return situationOf(observed, balancers, world.intent.ownerId ?? "", world.nowMs);
}

function built(asked: EndpointIntent): CloudModel {
  const world = new CloudModel(asked);
  world.converge();
  return world;
}

const drop =
  (...zones: readonly string[]) =>
  (world: CloudModel) => {
    world.rows = world.rows.filter(({ lb }) => !zones.some((zone) => lb.name === zoneBalancerName(zone)));
  };
const hide =
  (...zones: readonly string[]) =>
  (world: CloudModel) => {
    for (const zone of zones) world.row(zoneBalancerName(zone)).hidden = true;
  };

describe("enough balancers are made", () => {
  test.each<readonly [string, number | undefined, string, readonly ((world: CloudModel) => void)[]]>([
    ["yes", undefined, "all mapped zones have one", []],
    ["no", undefined, "one zone has none", [drop("az3")]],
    ["yes", 2, "two have one and two are enough", [drop("az3")]],
    ["no", 2, "one has one and two are enough", [drop("az2", "az3")]],
    ["yes", 9, "more are asked for than there are zones, and all have one", []],
    ["no", 0, "none is asked for, and there is none", [drop(...az)]],
    ["yes", 0, "none is asked for, and there is one", [drop("az2", "az3")]],
    ["unknown", undefined, "one zone's cannot be read", [hide("az3")]],
    ["no", undefined, "one zone's cannot be read and another has none", [drop("az2"), hide("az3")]],
    ["unknown", 2, "two are enough and one of two cannot be read", [drop("az2"), hide("az3")]],
    ["yes", 1, "one is enough and another cannot be read", [hide("az3")]],
  ])("%s, where so many count (%s): %s", (answer, minZones, _when, changes) => {
    const world = built(zonesIntent(az));
    world.intent = { ...world.intent, consents: { ...world.intent.consents, minZones } };
    for (const change of changes) change(world);
    expect(enoughMade(situationIn(world))).toBe(answer);
  });

  test("without a legacy balancer that stays as a fall-back: it is none of the zones'", () => {
    const world = built(zonesIntent(az));
    const { lb } = world.addFallback();
    world.addFloatingIp({ portId: lb.vipPortId });
    world.intent = { ...world.intent, consents: { ...world.intent.consents, minZones: 1 } };
    drop(...az)(world);
    expect(enoughMade(situationIn(world))).toBe("no");
    world.intent = { ...world.intent, consents: { ...world.intent.consents, minZones: undefined } };
    expect(enoughMade(situationIn(world))).toBe("no");
  });

  test("with one alone where there are no zones, once listener and pool are on every port", () => {
    const world = built(intent());
    expect(enoughMade(situationIn(world))).toBe("yes");
    world.row(legacyName).listeners = [];
    expect(enoughMade(situationIn(world))).toBe("no");
  });
});

describe("a balancer is whole", () => {
  const wholeNow = (world: CloudModel) => {
    const situation = situationIn(world);
    const [wanted] = situation.assignment.wanted;
    return wanted === undefined ? "none" : wholeness(wanted, situation);
  };
  const breakPool = (status: "ERROR" | "PENDING_UPDATE") => (world: CloudModel) => {
    Object.assign(world.row(legacyName).pools[0] ?? {}, { status });
  };
  const later = (seconds: number) => (world: CloudModel) => {
    world.row(legacyName).lb.updatedAt = new Date(world.nowMs).toISOString();
    world.nowMs += seconds * 1_000;
  };

  test.each<readonly [string, string, readonly ((world: CloudModel) => void)[]]>([
    ["yes", "it is made and nothing is broken", []],
    ["no", "somebody has switched it off", [(world) => void (world.row(legacyName).lb.adminStateUp = false)]],
    ["no", "a pool below it is in ERROR", [breakPool("ERROR")]],
    ["yes", "a pool below it has been PENDING for a minute", [breakPool("PENDING_UPDATE"), later(60)]],
    ["no", "a pool below it has been PENDING for longer", [breakPool("PENDING_UPDATE"), later(61)]],
    [
      "yes",
      "a pool below it has been PENDING for longer, and so has the balancer",
      [
        breakPool("PENDING_UPDATE"),
        later(61),
        (world) => void (world.row(legacyName).lb.provisioningStatus = "PENDING_UPDATE"),
      ],
    ],
    ["no", "it has no address", [(world) => void (world.floatingIps = [])]],
    ["unknown", "it cannot be read", [(world) => void (world.row(legacyName).hidden = true)]],
  ])("%s: %s", (answer, _when, changes) => {
    const world = built(intent());
    for (const change of changes) change(world);
    expect(wholeNow(world)).toBe(answer);
  });
});
