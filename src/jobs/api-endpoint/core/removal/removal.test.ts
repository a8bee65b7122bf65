// A floating IP's mark before its balancer goes: demanded only where nothing else would say afterwards whose it was. And balancers that may go
// because nobody stands behind them.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  capoDescription,
  legacyName,
  machine,
  single,
  withMode,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { unreadNamesakes } from "../situation/known-by-parts.ts";

/** With one zone at rest; then its object is deleted, and asks for a tag meanwhile. */
function deleted(prepare: (world: CloudModel) => void = () => undefined): CloudModel {
  const world = new CloudModel(zonesIntent(["az1"]));
  world.join(machine("az1", 1));
  prepare(world);
  world.converge();
  world.machines = [];
  world.intent = { ...world.intent, deleting: true, tags: ["team=a"] };
  return world;
}

const kinds = (world: CloudModel) => world.plan().actions.map(({ kind }) => kind);

test("the balancer of one that we made goes at once, whatever tags are on it", () => {
  const world = deleted();
  for (const one of world.floatingIps) one.tags = [];
  expect(kinds(world)).toEqual(["delete-load-balancer"]);
  world.converge();
  expect([world.rows, world.floatingIps, world.object.hasFinalizer]).toEqual([[], [], false]);
});

test("one that we made for another zone is marked first, and would not be found without", () => {
  const world = deleted();
  for (const one of world.floatingIps) Object.assign(one, { tags: [], description: `${one.description}-before` });
  expect(kinds(world)).toEqual(["tag-floating-ip"]);
  world.converge();
  expect(world.floatingIps).toEqual([]);
});

test("CAPO's is marked first, with our tags alone: the user's prove nothing", () => {
  const address = "203.0.113.50";
  const world = deleted((cloud) => {
    const capos = { name: legacyName, description: capoDescription, vipSubnetId: "sub-az1" };
    const { id, vipPortId, vipAddress } = cloud.addBalancer(capos, 6443).lb;
    cloud.addFloatingIp({ address, description: capoDescription, portId: vipPortId });
    const recorded = {
      id,
      name: legacyName,
      address,
      internalAddress: vipAddress,
      networkId: "net",
      subnetId: "sub-az1",
    };
    cloud.recorded = { ...cloud.recorded, single: recorded };
  });
  expect(world.row(zoneBalancerName("az1")).lb.tags).toContain("mainstay-zone=az1");
  for (const one of world.floatingIps) one.tags = ["theirs"];
  const [mark] = world.plan().actions;
  expect(mark).toMatchObject({ kind: "tag-floating-ip", address });
  expect(mark).toHaveProperty("tags", ["theirs", ...ourTags(world)]);
  world.converge();
  expect(world.floatingIps).toEqual([]);
});

function ourTags({ intent }: CloudModel): readonly string[] {
  return [`mainstay-owner=${intent.ownerId}`, "mainstay-zone=az1", "mainstay-role=floating-ip"];
}

test("one of a removed zone whose tags somebody cleared gets them back while it stays, and goes without them", () => {
  const world = new CloudModel(zonesIntent(["az1", "az2"], { publishDns: true }));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  world.nowMs += 600_000;
  world.intent = zonesIntent(["az1"], { publishDns: true });
  world.round();
  const { lb } = world.row(zoneBalancerName("az2"));
  const { tags } = lb;
  lb.tags = [];
  expect(kinds(world)).toEqual(["update-load-balancer"]);
  world.round();
  expect(world.row(zoneBalancerName("az2")).lb.tags).toEqual(tags);
  for (let round = 0; round < 60 && !kinds(world).includes("delete-load-balancer"); round += 1) world.round();
  world.row(zoneBalancerName("az2")).lb.tags = [];
  expect(kinds(world)).toEqual(["delete-load-balancer"]);
});

describe("when zones are switched off", () => {
  const az = ["az1", "az2"] as const;
  const switchedOff = (): CloudModel => {
    const world = new CloudModel(zonesIntent(az));
    world.join(...az.map((zone) => machine(zone, 1)));
    world.converge();
    world.nowMs += 600_000;
    return world;
  };

  test("a zone's balancer goes although a machine behind it answers nowhere: nobody loses a way in", () => {
    const world = switchedOff();
    world.join(machine("az2", 2));
    world.converge();
    world.up.delete("10.6.2.2");
    world.intent = withMode(world.intent, single);
    world.converge();
    expect(world.rows).toHaveLength(1);
  });

  test("it stays while a machine that answers behind it does not behind the one that is left", () => {
    const world = switchedOff();
    world.intent = withMode(world.intent, single);
    world.round();
    const [kept] = world.rows.filter(({ lb }) => lb.name === legacyName);
    for (let round = 0; round < 20; round += 1) {
      world.round();
      for (const pool of kept?.pools ?? []) pool.members = pool.members.filter(({ address }) => address === "10.6.1.1");
    }
    expect(world.rows).toHaveLength(2);
    expect(world.plan().refusals.map(({ reason }) => reason)).toContain("LastHealthyEndpoint");
  });

  test("one that is deleted in a round gets no machine in the same one", () => {
    const world = switchedOff();
    world.intent = withMode(world.intent, single);
    const changes = [];
    for (let round = 0; round < 60; round += 1) {
      const { actions } = world.plan();
      const going = actions.filter(({ kind }) => kind === "delete-load-balancer");
      if (going.length > 0) {
        world.join(machine("az2", 9));
        const lanes = world.plan().actions.map(({ kind, lane }) => `${kind} ${lane?.part}`);
        changes.push(...lanes.filter((words) => words.endsWith(" az2")));
        break;
      }
      world.round();
    }
    expect(changes).toEqual(["delete-load-balancer az2"]);
  });
});

describe("a zone that is removed from a cluster that is ready and has no machines", () => {
  const withoutMachines = (): CloudModel => {
    const world = new CloudModel(zonesIntent(["az1", "az2"]));
    world.converge();
    world.object = { ...world.object, provisioned: true };
    return world;
  };

  test("goes: nobody stands behind its balancer, and another is there", () => {
    const world = withoutMachines();
    world.intent = zonesIntent(["az1"]);
    world.converge();
    expect(world.rows.map(({ lb }) => lb.name)).toEqual([zoneBalancerName("az1")]);
  });

  test("stays while the one that is to take its place is missing", () => {
    const world = withoutMachines();
    world.intent = zonesIntent(["az3"]);
    expect(world.plan().refusals.map(({ reason }) => reason)).toContain("LastHealthyEndpoint");
    expect(kinds(world)).not.toContain("delete-load-balancer");
  });

  test("stays where somebody else put a floating IP on it", () => {
    const world = withoutMachines();
    const { vipPortId } = world.row(zoneBalancerName("az2")).lb;
    for (const one of world.floatingIps)
      if (one.portId === vipPortId) Object.assign(one, { tags: [], description: "theirs" });
    world.intent = zonesIntent(["az1"]);
    expect(world.plan().refusals.map(({ reason }) => reason)).toEqual(["LastHealthyEndpoint"]);
  });
});

test("one that must stay for a while gets back the tags that somebody cleared, and is found by them when status is lost", () => {
  const world = new CloudModel(zonesIntent(["az1", "az2"]));
  world.join(machine("az1", 1), machine("az2", 1));
  world.converge();
  world.up.delete("10.6.1.1");
  world.settle();
  world.intent = zonesIntent(["az1"], { location: world.location });
  const kept = world.row(zoneBalancerName("az2"));
  const { tags } = kept.lb;
  for (const part of [kept.lb, ...kept.listeners, ...kept.pools, ...kept.monitors]) part.tags = [];
  for (let round = 0; round < 5; round += 1) world.round();
  expect(kept.lb.tags.toSorted()).toEqual(tags.toSorted());
  expect(world.plan().refusals.map(({ reason }) => reason)).toContain("LastHealthyEndpoint");
  world.recorded = { zones: [], single: undefined, networkId: undefined };
  expect(world.plan().refusals.map(({ reason }) => reason)).toContain("LastHealthyEndpoint");
});

test("balancers of our name that nobody can look into are waited for in the same words, whatever order they come in", () => {
  const world = deleted((before) => {
    for (const vipAddress of ["10.7.0.3", "10.7.0.4"]) before.addBalancer({ name: legacyName, vipAddress });
  });
  const observed = world.observe();
  if (!observed.balancers.known) throw new Error("unseen");
  const tree = { known: false, reason: "AnswerAwaited", message: "asked for" } as const;
  const unread = observed.balancers.value.map((seen, index) => ({
    ...seen,
    balancer: { ...seen.balancer, name: `${legacyName}-${index}`, tags: [] },
    tree,
  }));
  const waits = (balancers: typeof unread) => unreadNamesakes({ ...observed, balancers: known(balancers) });
  expect(waits(unread.toReversed())).toEqual(waits(unread));
  expect(waits(unread).length).toBeGreaterThan(1);
});
