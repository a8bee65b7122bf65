// A cloud that refuses one step for good: a quota that is used up, a policy, a bug of its own. Whatever it refuses, members follow the
// machines, and nothing else that is due waits for it.

import { afterEach, describe, expect, test } from "vitest";
import { machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { CloudCall } from "../../../src/sim/fakes/openstack/call-handler.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, balancerNames, floatingIps, listenersOf, membersOf } from "../world/cloud-contents.ts";
import { applicationCredentialYaml, EndpointWorld, namespace, type WorldOptions } from "../world/endpoint-world.ts";

let running: TestManager | undefined;
afterEach(async () => await running?.manager.stop());

/** With one zone, one machine in it, and everything at rest. */
async function served(options?: WorldOptions): Promise<{ readonly world: EndpointWorld; readonly first: string }> {
  const world = new EndpointWorld(options);
  await world.furnish();
  running = world.work();
  await world.cluster("blue", { spec: spec(world) });
  const first = await world.machine("blue", "az1", "blue-first");
  await world.clock.advance(120_000);
  expect(membersOf(world, "az1")).toEqual([first]);
  return { world, first };
}

function spec(world: EndpointWorld) {
  return {
    controlPlaneEndpoint: { host: "api.blue.example.com", port: 6443 },
    apiServerLoadBalancer: world.zones(["az1"]),
  };
}

function refuse(world: EndpointWorld, is: (call: CloudCall) => boolean, status = 403): () => void {
  return world.lab.fake.addCallPlan((call) => (is(call) ? { turnAway: { status } } : undefined));
}

const calls = (operation: string) => (call: CloudCall) => call.operation === operation;

async function goes(world: EndpointWorld, name: string): Promise<void> {
  for (const kind of [machines, openStackMachines]) await world.kube.delete(kind, { name, namespace });
}

/** Takes the monitor away behind everybody's back. */
function loseMonitor({ lab }: EndpointWorld): void {
  for (const { id } of lab.fake.cloud.tables.healthmonitors.all()) lab.fake.cloud.tables.healthmonitors.remove(id);
}

const block = (more: object) => ({ spec: { apiServerLoadBalancer: more } });
const provoked: readonly (readonly [string, (world: EndpointWorld) => Promise<void> | void])[] = [
  ["update load balancer", (world) => world.patch("blue", { spec: { tags: ["team=a"] } })],
  ["update listener", (world) => world.patch("blue", { spec: { tags: ["team=a"] } })],
  ["update pool", (world) => world.patch("blue", { spec: { tags: ["team=a"] } })],
  ["update health monitor", (world) => world.patch("blue", block({ monitor: { delay: 7 } }))],
  ["create health monitor", loseMonitor],
  ["create listener", (world) => world.patch("blue", block({ additionalPorts: [8132] }))],
  ["create pool", (world) => world.patch("blue", block({ additionalPorts: [8132] }))],
  ["replace tags", (world) => world.patch("blue", { spec: { tags: ["team=a"] } })],
];

describe.each(["amphora", "ovn"] as const)(
  "with %s, members follow the machines while the cloud refuses to",
  (provider) => {
    test.each(provoked)("%s", async (operation, provoke) => {
      const { world } = await served({ cloud: { defaultProvider: provider } });
      let refused = 0;
      refuse(world, (call) => calls(operation)(call) && ++refused > 0);
      await provoke(world);
      await world.clock.advance(60_000);
      const next = await world.machine("blue", "az1", "blue-next");
      await world.clock.advance(90_000);
      expect(membersOf(world, "az1")).toContain(next);
      await goes(world, "blue-first");
      await world.clock.advance(90_000);
      expect(membersOf(world, "az1")).toEqual([next]);
      expect(refused).toBeGreaterThan(0);
    });
  },
);

test("a new cluster gets its members without a monitor, and the monitor when the quota allows one", async () => {
  const world = new EndpointWorld();
  await world.furnish();
  running = world.work();
  const allow = refuse(world, calls("create health monitor"));
  await world.cluster("blue", { spec: spec(world) });
  const first = await world.machine("blue", "az1");
  await world.clock.advance(180_000);
  expect(membersOf(world, "az1")).toEqual([first]);
  expect(world.lab.fake.cloud.tables.healthmonitors.all()).toEqual([]);
  allow();
  await world.clock.advance(600_000);
  expect(world.lab.fake.cloud.tables.healthmonitors.all()).toHaveLength(1);
});

describe("a quota of members that is used up", () => {
  const members = (world: EndpointWorld, most: number) =>
    world.lab.fake.faults.setQuota(world.lab.projectId, "member", most);

  test("lets a machine's successor in once the machine is gone", async () => {
    const { world } = await served();
    const second = await world.machine("blue", "az1", "blue-second");
    await world.clock.advance(60_000);
    members(world, 2);
    const next = await world.machine("blue", "az1", "blue-next");
    await world.clock.advance(60_000);
    await goes(world, "blue-first");
    await world.clock.advance(400_000);
    expect(membersOf(world, "az1")).toEqual([second, next].toSorted());
  });

  test("never costs the last member that answers, and its successor comes when there is room", async () => {
    const { world, first } = await served();
    members(world, 1);
    const body = { metadata: { finalizers: ["example.com/drain"] } };
    await world.kube.patch(machines, { name: "blue-first", namespace }, { type: "merge", body });
    await world.kube.delete(machines, { name: "blue-first", namespace });
    const next = await world.machine("blue", "az1", "blue-next");
    await world.clock.advance(400_000);
    expect(membersOf(world, "az1")).toEqual([first]);
    members(world, 2);
    await world.clock.advance(400_000);
    expect(membersOf(world, "az1")).toEqual([next]);
  });

  test("takes as many of several as there is room for", async () => {
    const { world, first } = await served();
    members(world, 2);
    const [one, other] = await Promise.all(
      ["blue-one", "blue-other"].map((name) => world.machine("blue", "az1", name)),
    );
    await world.clock.advance(120_000);
    expect(membersOf(world, "az1")).toHaveLength(2);
    expect([first, one, other]).toEqual(expect.arrayContaining([...membersOf(world, "az1")]));
  });
});

test("on OVN a listener that is refused costs the API port its monitor for moments, not for good", async () => {
  const { world } = await served({ cloud: { defaultProvider: "ovn" } });
  const allow = refuse(world, calls("create listener"));
  await world.patch("blue", block({ additionalPorts: [8132] }));
  await world.clock.advance(300_000);
  world.lab.fake.resetCounts();
  let without = 0;
  for (let second = 0; second < 600; second += 1) {
    await world.clock.advance(1_000);
    if (world.lab.fake.cloud.tables.healthmonitors.all().length === 0) without += 1;
  }
  expect(without).toBeLessThan(60);
  allow();
  await world.clock.advance(600_000);
  expect([listenersOf(world, "az1").length, world.lab.fake.cloud.tables.healthmonitors.all().length]).toEqual([2, 2]);
});

test("tags that the cloud would refuse, in an object that no webhook saw, are left out and said; all else goes on", async () => {
  const { world, first } = await served();
  await world.patch("blue", { spec: { tags: ["Team=a", "team-😀", "team=a", "mainstay-owner=x"] } });
  const next = await world.machine("blue", "az1", "blue-next");
  await world.clock.advance(120_000);
  expect(membersOf(world, "az1")).toEqual([first, next].toSorted());
  for (const { tags } of [balancerNamed(world, "az1"), ...listenersOf(world, "az1"), ...floatingIps(world)])
    expect(tags.filter((tag) => !tag.startsWith("mainstay-"))).toEqual(["Team=a"]);
  const said = (await world.notes()).join("\n");
  expect(said).toContain('spec.tags[1]: "team-😀" is not a valid tag');
  expect(said).toContain('spec.tags[2]: "team=a" and "Team=a" are the same tag');
});

test("a tag whose case is changed in the object stays as the cloud has it: the two cannot be on one object", async () => {
  const { world } = await served();
  await world.patch("blue", { spec: { tags: ["team=a"] } });
  await world.clock.advance(60_000);
  await world.patch("blue", { spec: { tags: ["Team=a"] } });
  const next = await world.machine("blue", "az1", "blue-next");
  await world.clock.advance(120_000);
  expect(membersOf(world, "az1")).toContain(next);
  expect(balancerNamed(world, "az1").tags).toContain("team=a");
  world.lab.fake.resetCounts();
  await world.clock.advance(120_000);
  expect([...world.lab.fake.counts().keys()].filter((call) => /update|replace/.test(call))).toEqual([]);
});

describe("a floating IP that Neutron refuses to tag", () => {
  test("is deleted with its cluster: its description says whose it is", async () => {
    const { world } = await served();
    refuse(world, calls("replace tags"), 409);
    await world.patch("blue", { spec: { tags: ["team=a"] } });
    await goes(world, "blue-first");
    await world.clock.advance(60_000);
    await world.remove("blue");
    await world.clock.advance(300_000);
    expect([balancerNames(world), floatingIps(world)]).toEqual([[], []]);
  });

  test("because it knows no tags is asked no more: its description has to do", async () => {
    const { world } = await served();
    refuse(world, calls("replace tags"), 404);
    await world.patch("blue", { spec: { tags: ["team=a"] } });
    await world.clock.advance(60_000);
    world.lab.fake.resetCounts();
    await world.clock.advance(600_000);
    expect(world.lab.fake.counts().get("neutron replace tags")).toBeUndefined();
  });

  test("because policy forbids it is tagged in another cluster, whose credentials may", async () => {
    const { world } = await served();
    const allow = refuse(world, calls("replace tags"));
    await world.patch("blue", { spec: { tags: ["team=a"] } });
    await world.clock.advance(60_000);
    allow();
    await world.putCredentials(applicationCredentialYaml(world.lab), "others");
    const identityRef = { name: "others", cloudName: "lab" };
    const controlPlaneEndpoint = { host: "api.green.example.com", port: 6443 };
    const apiServerLoadBalancer = world.zones(["az2"]);
    await world.cluster("green", { spec: { identityRef, controlPlaneEndpoint, apiServerLoadBalancer } });
    await world.clock.advance(60_000);
    const tags = floatingIps(world).map((one) => one.tags);
    expect(tags).toEqual([
      expect.not.arrayContaining(["team=a"]),
      expect.arrayContaining([expect.stringMatching(/^mainstay-owner=/)]),
    ]);
  });

  test("because it has just gone stops no tags elsewhere", async () => {
    const world = new EndpointWorld();
    await world.furnish();
    running = world.work();
    let gone: string | undefined;
    world.lab.fake.addCallPlan((call) => {
      if (gone !== undefined || call.operation !== "replace tags") return undefined;
      [gone] = floatingIps(world).map(({ id }) => id);
      world.lab.fake.cloud.tables.floatingips.remove(gone ?? "");
      return undefined;
    });
    await world.cluster("blue", { spec: { ...spec(world), apiServerLoadBalancer: world.zones() } });
    await world.clock.advance(300_000);
    expect(gone).toBeDefined();
    expect(floatingIps(world)).toHaveLength(3);
    expect(floatingIps(world).every(({ tags }) => tags.length > 0)).toBe(true);
  });
});
