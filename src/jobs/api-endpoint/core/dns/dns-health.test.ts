// Row by row: whether people can be sent to a balancer.

import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zoneBalancerName, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { dnsHealth, lasts } from "./dns-health.ts";

const az = ["az1", "az2"] as const;
let world: CloudModel;

beforeEach(() => {
  world = new CloudModel(zonesIntent(az));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
});

const row = () => world.row(zoneBalancerName("az1"));
const seenNow = () => {
  const observed = world.observe();
  const all = observed.balancers.known ? observed.balancers.value : [];
  return { observed, seen: all.find(({ balancer }) => balancer.name === zoneBalancerName("az1")) };
};
const healthNow = () => {
  const { seen, observed } = seenNow();
  return dnsHealth(seen, observed);
};
const lastsNow = () => {
  const { seen, observed } = seenNow();
  return lasts(seen, observed);
};
const silence = () => world.up.clear();
const switchOff = () => void (row().lb.adminStateUp = false);
const breakIt = () => void (row().lb.provisioningStatus = "ERROR");
const unwatch = () => void (row().monitors = []);
const probed = (az1: number) => {
  const [first, second] = az.map((zone) => world.row(zoneBalancerName(zone)).lb.id);
  if (first !== undefined && second !== undefined)
    world.probes = new Map([
      [first, { failuresInARow: az1 }],
      [second, { failuresInARow: 0 }],
    ]);
};

describe("a balancer is", () => {
  test.each<readonly [string, string, readonly (() => void)[]]>([
    ["good", "while a member answers", []],
    ["bad", "while none does", [silence]],
    ["unknown", "while nobody watches them", [unwatch]],
    ["unknown", "while nobody can read what is below it", [() => void (row().hidden = true)]],
    ["bad", "while somebody has switched it off", [switchOff]],
    [
      "bad",
      "while somebody has switched its listener off",
      [() => Object.assign(row().listeners[0] ?? {}, { adminStateUp: false })],
    ],
    ["bad", "while its one member is nobody's", [() => world.leave("cp-az1-1")]],
    ["may serve", "in ERROR, with a member that answers", [breakIt]],
    ["may serve", "in ERROR, with a member that may", [breakIt, unwatch]],
    ["bad", "in ERROR, with none that does", [breakIt, silence]],
    ["bad", "in ERROR and switched off", [breakIt, switchOff]],
    ["good", "in ERROR, where its address answers probes", [breakIt, () => probed(0)]],
    ["may serve", "in ERROR, where one probe failed", [breakIt, () => probed(1)]],
    ["bad", "in ERROR, where probes of its address fail", [breakIt, () => probed(2)]],
    ["bad", "where probes of its address fail", [() => probed(2)]],
    ["may serve", "down by its own word", [() => void (row().lb.operatingStatus = "OFFLINE")]],
    [
      "good",
      "down by its own word, where its address answers probes",
      [() => Object.assign(row().lb, { operatingStatus: "ERROR" }), () => probed(0)],
    ],
    ["bad", "being made", [() => void (row().lb.provisioningStatus = "PENDING_CREATE")]],
    ["bad", "being deleted", [() => void (row().lb.provisioningStatus = "PENDING_DELETE")]],
    ["good", "being changed", [() => void (row().lb.provisioningStatus = "PENDING_UPDATE")]],
  ])("%s %s", (health, _when, changes) => {
    for (const change of changes) change();
    expect(healthNow()).toBe(health);
  });

  test("bad where there is none", () => {
    expect(dnsHealth(undefined, world.observe())).toBe("bad");
    expect(lasts(undefined, world.observe())).toBe(false);
  });
});

describe("a balancer serves for a while yet", () => {
  test.each<readonly [boolean, string, () => void]>([
    [true, "while a machine that stays answers behind it", () => undefined],
    [false, "not while nobody answers", silence],
    [false, "not through a machine that is on its way out", () => world.setDeleting("cp-az1-1")],
    [false, "not through a member whose machine is gone", () => world.leave("cp-az1-1")],
    [true, "through any member while no machine is known at all", () => void (world.machines = [])],
  ])("%s: %s", (isLasting, _when, change) => {
    change();
    expect(lastsNow()).toBe(isLasting);
  });
});
