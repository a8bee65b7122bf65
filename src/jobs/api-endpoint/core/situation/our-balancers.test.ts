// Of several balancers for one place, which a lost answer can leave behind: which one is kept. And which are ours where tags and status were
// lost.

import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  machine,
  single,
  withMode,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";

const name = zoneBalancerName("az1");

/** A second one for az1, made later, with nobody behind it. */
function withTwo(): { readonly world: CloudModel; readonly first: string; readonly second: string } {
  const world = new CloudModel(zonesIntent(["az1"]));
  world.join(machine("az1", 1));
  world.converge();
  world.nowMs += 60_000;
  const { lb } = world.row(name);
  const { id } = world.addBalancer({ name, tags: lb.tags, description: lb.description, vipAddress: "10.0.1.250" }).lb;
  return { world, first: lb.id, second: id };
}

const going = (world: CloudModel) =>
  world.plan().actions.flatMap((action) => (action.kind === "delete-load-balancer" ? [action.id] : []));

test("the one that status knows is kept, also when another is older", () => {
  const { world, first, second } = withTwo();
  expect(going(world)).toEqual([second]);
  const zones = world.recorded.zones.map((entry) => ({ ...entry, id: second }));
  world.recorded = { ...world.recorded, zones };
  for (let round = 0; round < 20; round += 1) world.round();
  expect(world.rows.map(({ lb }) => lb.id)).toEqual([second]);
  expect(first).not.toBe(second);
});

test("where status knows none, the oldest is kept", () => {
  const { world, second } = withTwo();
  world.recorded = { zones: [], single: undefined, networkId: undefined };
  expect(going(world)).toEqual([second]);
});

test.each([false, true])(
  "of several zones' that are as healthy, the first zone's becomes the single one, in whichever order they are told (%s)",
  (isReversed) => {
    const world = new CloudModel(zonesIntent(["az1", "az2"]));
    world.join(machine("az1", 1), machine("az2", 1));
    world.converge();
    world.recorded = { zones: [], single: undefined, networkId: undefined };
    world.intent = withMode(world.intent, single);
    if (isReversed) world.rows.reverse();
    const { id } = world.row(name).lb;
    expect(world.plan().actions).toContainEqual(expect.objectContaining({ kind: "update-load-balancer", id }));
  },
);

test("one that is on its way out is kept by no means", () => {
  const { world, first, second } = withTwo();
  for (const { lb } of world.rows) if (lb.id === first) lb.provisioningStatus = "PENDING_DELETE";
  world.converge();
  expect(world.rows.map(({ lb }) => lb.id)).toEqual([second]);
});

describe("where a balancer's own tags and status are lost", () => {
  function withoutTags(): CloudModel {
    const world = new CloudModel(zonesIntent(["az1"]));
    world.join(machine("az1", 1));
    world.converge();
    world.row(name).lb.tags = [];
    world.recorded = { zones: [], single: undefined, networkId: undefined };
    return world;
  }
  const isOurs = (world: CloudModel) => world.plan().actions.some(({ kind }) => kind === "update-load-balancer");

  test.each(["listeners", "monitors"] as const)("it is ours by its %s alone", (kept) => {
    const world = withoutTags();
    const { listeners, pools, monitors } = world.row(name);
    for (const part of [...(kept === "listeners" ? monitors : listeners), ...pools]) part.tags = [];
    expect(isOurs(world)).toBe(true);
    world.converge();
    expect(world.rows).toHaveLength(1);
  });

  test("it is not ours in another subnet than its zone's, under another name, or without a tag below it", () => {
    const strayed = withoutTags();
    strayed.row(name).lb.vipSubnetId = "sub-az9";
    const bare = withoutTags();
    for (const part of [...bare.row(name).listeners, ...bare.row(name).monitors]) part.tags = [];
    const renamed = withoutTags();
    for (const part of [...renamed.row(name).listeners, ...renamed.row(name).monitors])
      part.tags = part.tags.map((tag) => tag.replace("=az1", "=az2"));
    for (const world of [strayed, bare, renamed]) expect(isOurs(world)).toBe(false);
  });
});
