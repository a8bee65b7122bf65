// What the gauges count: what is known now. What nobody can tell has no sample, and no zero.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { machine, zoneBalancerName, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { endpointGauges } from "./gauges.ts";

const az = ["az1", "az2"];

function serving(): CloudModel {
  const world = new CloudModel(zonesIntent(az));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.report();
  return world;
}

/** `mainstay_load_balancer_members az1 healthy` → count. */
const counted = (world: CloudModel) =>
  Object.fromEntries(
    endpointGauges(world.observe()).map(({ metric, labels, count }) => [
      [metric.replace("mainstay_load_", ""), ...Object.values(labels)].join(" "),
      count,
    ]),
  );

test("balancers are counted by state, and members by health", () => {
  expect(counted(serving())).toEqual({
    "balancers az1 ACTIVE": 1,
    "balancers az2 ACTIVE": 1,
    "balancer_members az1 healthy": 1,
    "balancer_members az2 healthy": 1,
  });
});

test("a zone in which nobody answers has none that are healthy, also where nobody ever did", () => {
  const world = serving();
  world.up.delete("10.6.2.1");
  world.settle();
  expect(counted(world)).toMatchObject({ "balancer_members az2 healthy": 0, "balancer_members az2 unhealthy": 1 });
});

test("a zone in which nobody answers is named for alerts, and so is an object with no other", () => {
  const world = serving();
  world.up.delete("10.6.2.1");
  world.settle();
  const forAlerts = () =>
    endpointGauges(world.observe())
      .filter(({ sick }) => sick)
      .map(({ metric, labels }) => [metric, ...Object.values(labels)].join(" "));
  expect(forAlerts()).toEqual(["mainstay_unhealthy_load_balancers az2"]);
  world.up.delete("10.6.1.1");
  world.settle();
  expect(forAlerts()).toEqual([
    "mainstay_unhealthy_load_balancers az1",
    "mainstay_unhealthy_load_balancers az2",
    "mainstay_unreachable_endpoints",
  ]);
});

test("of a balancer that cannot be looked into no member is counted, not even none", () => {
  const world = serving();
  world.row(zoneBalancerName("az2")).hidden = true;
  expect(counted(world)).toEqual({
    "balancers az1 ACTIVE": 1,
    "balancers az2 ACTIVE": 1,
    "balancer_members az1 healthy": 1,
  });
});

describe("while nobody knows the balancers", () => {
  const unknown = { "balancers az1 UNKNOWN": 1, "balancers az2 UNKNOWN": 1 };

  test("because Octavia does not answer, those in status are UNKNOWN, and no member is counted", () => {
    const world = serving();
    world.octaviaAway = true;
    expect(counted(world)).toEqual(unknown);
  });

  test("because the object is paused, they are UNKNOWN, too", () => {
    const world = serving();
    world.object.paused = true;
    expect(counted(world)).toEqual(unknown);
  });

  test("what probes say of them is known", () => {
    const world = serving();
    world.probes = new Map(world.rows.map(({ lb }, index) => [lb.id, { failuresInARow: index }]));
    world.octaviaAway = true;
    expect(counted(world)).toEqual({
      ...unknown,
      "balancer_probes az1 answered": 1,
      "balancer_probes az2 failed": 1,
    });
  });

  test("because the object was moved away, they are counted elsewhere", () => {
    const world = serving();
    world.object.isMoved = true;
    expect(counted(world)).toEqual({});
  });
});
