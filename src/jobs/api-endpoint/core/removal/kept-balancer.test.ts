import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  dnsEndpoint,
  intent,
  machine,
  withMode,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import type { EndpointSettings } from "../model/intent.ts";

const az = ["az1", "az2", "az3"] as const;
const off = intent({ mode: "none", endpoint: dnsEndpoint });

function switchedOff(over: Partial<EndpointSettings> = {}): CloudModel {
  const world = new CloudModel(zonesIntent(az));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.intent = { ...off, ...over };
  return world;
}

const names = (world: CloudModel) => world.rows.map(({ lb }) => lb.name);
const refused = (world: CloudModel) => world.plan().refusals.map(({ reason, lane }) => [reason, lane?.part]);

describe("when balancers are switched off", () => {
  test("the one that people know is kept from the first moment, and the others leave", () => {
    const world = switchedOff();
    expect(refused(world)).toEqual([["LastLoadBalancerKept", "az1"]]);
    world.converge();
    expect(names(world)).toEqual([zoneBalancerName("az1")]);
    expect(refused(world)).toEqual([["LastLoadBalancerKept", "az1"]]);
    expect(world.status?.conditions).toContainEqual(
      expect.objectContaining({ type: "LoadBalancerKept", status: "True", reason: "LastLoadBalancerKept" }),
    );
  });

  test("another is kept where nobody answers behind that one", () => {
    const world = switchedOff();
    world.up.delete("10.6.1.1");
    expect(refused(world)).toContainEqual(["LastLoadBalancerKept", "az3"]);
  });

  test("one that may serve is kept where none is seen to, and not one that is seen not to", () => {
    const world = switchedOff();
    for (const address of world.up) world.up.delete(address);
    world.row(zoneBalancerName("az3")).monitors = [];
    expect(refused(world)).toContainEqual(["LastLoadBalancerKept", "az3"]);
  });

  test("one that is seen to serve is kept before the one that people know and of which nobody can tell", () => {
    const world = switchedOff();
    world.row(zoneBalancerName("az1")).monitors = [];
    world.up.delete("10.6.3.1");
    expect(refused(world)).toContainEqual(["LastLoadBalancerKept", "az2"]);
  });

  test("one that an address leads to is kept although status has forgotten everything and nobody answers", () => {
    const world = switchedOff();
    world.up.clear();
    world.object.provisioned = false;
    world.recorded = { zones: [], single: undefined, networkId: undefined };
    expect(refused(world).map(([reason]) => reason)).toContain("LastLoadBalancerKept");
  });

  test("those that may serve keep their records while the kept one is not seen to serve", () => {
    const world = new CloudModel(zonesIntent(az, { publishDns: true }));
    world.join(...az.map((zone) => machine(zone, 1)));
    world.converge();
    const before = world.object.dnsEndpoint?.addresses;
    world.intent = { ...off, publishDns: true };
    for (const { lb } of world.ours()) world.row(lb.name).hidden = true;
    for (let round = 0; round < 5; round += 1) world.round();
    expect(world.object.dnsEndpoint?.addresses).toEqual(before);
    for (const { lb } of world.ours()) world.row(lb.name).hidden = false;
    world.converge();
    expect(world.object.dnsEndpoint?.addresses).toHaveLength(1);
  });

  test("it is not on its way out, whatever becomes of its floating IP", () => {
    const world = switchedOff();
    world.converge();
    world.floatingIps.splice(0);
    world.report();
    expect(world.status?.leaving).toEqual([]);
    expect(refused(world)).toEqual([["LastLoadBalancerKept", "az1"]]);
  });

  test("it goes when that is agreed, and so does every one of a cluster that never began", () => {
    const agreed = switchedOff({ consents: { ...off.consents, removeLegacy: true } });
    agreed.converge();
    expect(names(agreed)).toEqual([]);
    const unborn = new CloudModel(zonesIntent(az));
    unborn.converge();
    unborn.object.provisioned = false;
    unborn.intent = off;
    unborn.converge();
    expect(names(unborn)).toEqual([]);
  });
});

test("what paused an object is said in the same words, whoever is asked first", () => {
  const world = switchedOff();
  world.object.paused = true;
  const said = (...pausedBy: readonly string[]) => {
    Object.assign(world.object, { pausedBy });
    return world.plan().refusals;
  };
  expect(said("an annotation", "the Cluster")).toEqual(said("the Cluster", "an annotation"));
});

test("a consent that was left behind is told while there is nothing to remove, and not while there is", () => {
  const world = new CloudModel(zonesIntent(["az1", "az2"]));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  const told = () => world.plan().refusals.filter(({ reason }) => reason === "RemovalAgreed").length;
  expect(told()).toBe(0);
  world.intent = { ...world.intent, consents: { ...world.intent.consents, removeLegacy: true } };
  expect(told()).toBe(1);
  world.intent = withMode(world.intent, { mode: "none" });
  expect(told()).toBe(0);
});
