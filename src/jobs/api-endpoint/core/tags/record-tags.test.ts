import { beforeEach, describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import type { BalancerRow, MemberRow } from "../../../../../test/api-endpoint/model/cloud-rows.ts";
import {
  machine,
  noFloatingIpTags,
  ovnRefusals,
  refusing,
  single,
  tcpPorts,
  withMode,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import type { TagRecord } from "../../apis/tag-record.ts";
import type { EndpointAction } from "../model/action.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { planEndpoint } from "../plan.ts";

const az = ["az1", "az2"] as const;
let world: CloudModel;

beforeEach(() => {
  world = new CloudModel(zonesIntent(az, { tags: ["red"], additionalPorts: tcpPorts(9345) }));
  world.join(...az.map((zone) => machine(zone, 1)), machine("az1", 2));
  world.converge();
  world.nowMs += 60_000;
});

const wish = (...tags: readonly string[]) => {
  world.intent = { ...world.intent, tags };
};
const first = (): BalancerRow => world.row(zoneBalancerName("az1"));
const members = ({ pools }: BalancerRow): readonly MemberRow[] => pools.flatMap((pool) => pool.members);
const isOurs = (tag: string) => tag.startsWith("mainstay-");

/** Of everything that there is, each kind of list once. */
function tagsThere(): readonly string[] {
  const parts = world
    .ours()
    .flatMap((row) => [row.lb, ...row.listeners, ...row.pools, ...row.monitors, ...members(row)]);
  const lists = [...parts, ...world.floatingIps].map(({ tags }) => tags.filter((tag) => !isOurs(tag)).toSorted());
  return [...new Set(lists.map((tags) => tags.join(" ")))].toSorted();
}

const kinds = (actions: readonly EndpointAction[]) => actions.map(({ kind }) => kind);
const recordsOf = (actions: readonly EndpointAction[]) =>
  actions.flatMap((action) => (action.kind === "record-tags" ? [action.record] : []));
const applied = (...tags: readonly string[]): TagRecord => ({ is: "applied", tags });
const applying = (...tags: readonly string[]): TagRecord => ({ is: "applying", tags });

test("a new object's tags are written down, put on everything, and seen there once", () => {
  expect(tagsThere()).toEqual(["red"]);
  expect(world.intent.tagRecord).toEqual(applied("red"));
});

test("without tags nothing is written down, and no member is listed", () => {
  world = new CloudModel(zonesIntent(az));
  world.join(machine("az1", 1));
  expect(recordsOf(world.converge())).toEqual([]);
  expect(world.intent.tagRecord).toBeUndefined();
});

describe.each([
  ["added", ["red", "green"], ["green red"]],
  ["changed", ["green"], ["green"]],
  ["removed", [], [""]],
] as const)("a tag that is %s", (_how, tags, there) => {
  test.each(["amphora", "ovn"])("is so on everything, members included: %s", (provider) => {
    world.capabilities = known(refusing(...(provider === "ovn" ? ovnRefusals : [])));
    wish(...tags);
    const done = world.converge();
    expect(tagsThere()).toEqual(there);
    const [begun, ended, ...more] = recordsOf(done);
    expect([begun, ended, more]).toEqual([applying(...new Set(["red", ...tags])), applied(...tags), []]);
    expect([kinds(done).at(0), kinds(done).at(-1)]).toEqual(["record-tags", "record-tags"]);
    expect(world.plan().actions).toEqual([]);
  });

  test("leaves the tags of others, and takes nothing else from a member", () => {
    const [one, two] = members(first());
    for (const part of [first().lb, ...first().listeners, one])
      if (part !== undefined) part.tags = [...part.tags, "somebody's"];
    Object.assign(two ?? {}, { weight: 7, backup: true, adminStateUp: false });
    wish(...tags);
    world.converge();
    for (const part of [first().lb, ...first().listeners, one])
      expect(part?.tags.filter((tag) => !isOurs(tag)).toSorted()).toEqual(["somebody's", ...tags].toSorted());
    expect(members(first())[1]).toMatchObject({ weight: 7, backup: true, adminStateUp: false });
  });

  test("is so in the end, whenever the spec changes once more", () => {
    for (let round = 0; round < 8; round += 1) {
      wish("red");
      world.converge();
      wish(...tags);
      for (let done = 0; done < round; done += 1) world.round();
      wish("red", "blue");
      world.round();
      wish(...tags);
      world.converge();
      expect(tagsThere()).toEqual(there);
    }
  });
});

test("taken back in between, the spec counts as it is now", () => {
  wish("red", "green");
  for (let round = 0; round < 4; round += 1) world.round();
  expect(tagsThere()).toContain("green red");
  wish("red");
  world.converge();
  expect([tagsThere(), world.intent.tagRecord]).toEqual([["red"], applied("red")]);
});

test("to the cloud a tag in another case is the same: it stays as it is, and goes when it leaves the spec", () => {
  wish("RED");
  expect(world.converge()).toEqual([]);
  expect(tagsThere()).toEqual(["red"]);
  wish("Red", "green");
  world.converge();
  expect(tagsThere()).toEqual(["green red"]);
  wish("green");
  world.converge();
  expect(tagsThere()).toEqual(["green"]);
});

test("where nobody wrote down what was applied, members get what they lack, and nothing is taken off", () => {
  for (const member of members(first())) member.tags = member.tags.filter(isOurs);
  first().lb.tags = [...first().lb.tags, "blue"];
  const { tagRecord: _, ...unrecorded } = world.intent;
  world.intent = unrecorded;
  expect(kinds(world.converge())).toEqual(["record-tags", "merge-members", "merge-members", "record-tags"]);
  expect(tagsThere()).toEqual(["blue red", "red"]);
});

test("a Neutron that cannot tag floating IPs holds up nothing else", () => {
  world = new CloudModel(zonesIntent(["az1"], { tags: ["red"] }));
  world.capabilities = known(refusing(noFloatingIpTags));
  world.join(machine("az1", 1));
  world.converge();
  wish("green");
  world.converge();
  expect([tagsThere(), world.intent.tagRecord]).toEqual([["", "green"], applied("green")]);
});

describe("it is not written down that everything has its tags", () => {
  const roundsWithout = (rounds = 12) => {
    const done = Array.from({ length: rounds }, () => world.round().actions).flat();
    expect(recordsOf(done)).not.toContainEqual(applied(...world.intent.tags));
    expect(world.intent.tagRecord?.is).toBe("applying");
  };

  test.each([[["green"]], [["red", "green"]]])("while a balancer cannot be looked into: %j", (tags) => {
    wish(...tags);
    world.round();
    first().hidden = true;
    roundsWithout();
    first().hidden = false;
    world.converge();
    expect([tagsThere(), world.intent.tagRecord]).toEqual([[tags.toSorted().join(" ")], applied(...tags)]);
  });

  test.each(["members", "pools"] as const)("while the %s were not listed", (what) => {
    world.intent = { ...world.intent, tagRecord: applying("red", "green") };
    const { balancers, ...rest } = world.observe();
    const unlisted = (balancers.known ? balancers.value : []).map(({ [what]: _, ...seen }) => seen);
    const observed = { ...rest, balancers: known(unlisted as readonly BalancerObserved[]) };
    expect(recordsOf(planEndpoint(observed, world.nowMs).actions)).toEqual([]);
  });

  test("while one is missing: one that was asked for may come with the tags of before", () => {
    const { additionalPorts, location } = world.intent;
    world.intent = zonesIntent([...az, "az3"], {
      additionalPorts,
      location,
      tags: ["green"],
      tagRecord: applied("red"),
    });
    roundsWithout(30);
    expect([world.ours().length, tagsThere()]).toEqual([2, ["green"]]);
  });

  test("while a change has not been answered yet", () => {
    world.intent = { ...world.intent, tagRecord: applying("red", "green") };
    const observed = world.observe();
    const lane = { part: "az1" };
    const slow: EndpointAction = { kind: "update-pool", name: "p", id: "p", change: {}, lane, because: "PoolDrifted" };
    expect(recordsOf(planEndpoint({ ...observed, underWay: [slow] }, world.nowMs).actions)).toEqual([]);
    expect(recordsOf(planEndpoint(observed, world.nowMs).actions)).toEqual([applied("red")]);
  });

  test("while a member that may not be changed now still has a former one", () => {
    world.machines = world.machines.map((one) => (one.name === "cp-az1-2" ? { ...one, zone: undefined } : one));
    wish("green");
    roundsWithout(30);
    expect(tagsThere()).toEqual(["green", "red"]);
    world.machines = world.machines.map((one) => ({ ...one, zone: one.zone ?? "az1" }));
    world.converge();
    expect([tagsThere(), world.intent.tagRecord]).toEqual([["green"], applied("green")]);
  });

  test("while the object has a problem", () => {
    world.problems = [{ where: "spec", message: "it cannot be", hint: "Correct it." }];
    wish("green");
    world.round();
    expect(world.intent.tagRecord).toEqual(applied("red"));
  });
});

test("a tag of before on a balancer that goes is no reason to wait when it is gone", () => {
  wish("green");
  world.intent = withMode(world.intent, single);
  world.converge();
  expect([tagsThere(), world.intent.tagRecord]).toEqual([["green"], applied("green")]);
});
