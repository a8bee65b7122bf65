// Another client keeps overwriting the status of a cluster: a Go client with an older type that drops our fields, a tool that wipes status.
// That costs few writes and about as many calls as a quiet cluster, and people are told once what is lost.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { balancerNamed, membersOf } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

interface Rival {
  /** After each of our writes; 0: before anybody sees what was written. */
  readonly afterMs: number;
  readonly act: () => Promise<unknown>;
}

const ref = { name: "blue", namespace };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
let world: EndpointWorld;
let running: TestManager;
let rival: Rival | undefined;

beforeEach(async () => {
  world = new EndpointWorld();
  rival = undefined;
  await world.furnish();
  running = world.manager({ through: followedByRival });
  const controlPlaneEndpoint = { host: "api.blue.example.com", port: 6443 };
  await world.cluster("blue", { spec: { controlPlaneEndpoint, apiServerLoadBalancer: world.zones() } });
  for (const zone of ["az1", "az2", "az3"]) await world.machine("blue", zone);
  await world.clock.advance(10 * minuteMs);
});
afterEach(() => running.manager.stop());

const statusNow = async () => (await world.read("blue")).status;
const overwrite = (status: object | null) =>
  world.kube.patch(openStackClusters, ref, { type: "merge", body: { status } }, { subresource: "status" });
const dropField = () => overwrite({ apiServerLoadBalancers: null });

function followedByRival(kube: Kube): Kube {
  return {
    ...kube,
    apply: async (kind, object, options) => {
      const applied = await kube.apply(kind, object, options);
      if (kind === openStackClusters && options.subresource === "status") await follow();
      return applied;
    },
  };
}

async function follow(): Promise<void> {
  if (rival === undefined) return;
  const { afterMs, act } = rival;
  if (afterMs === 0) await act();
  else world.clock.after(afterMs, () => void act().catch(() => undefined));
}

async function begin(afterMs: number, act: Rival["act"]): Promise<void> {
  rival = { afterMs, act };
  await act();
}

const statusWrites = () => running.writes.filter((write) => write.includes("openstackclusters")).length;

async function costOfAnHour() {
  world.lab.fake.resetCounts();
  const before = statusWrites();
  await world.clock.advance(hourMs);
  const calls = [...world.lab.fake.counts().values()].reduce((sum, count) => sum + count, 0);
  return { calls, writes: statusWrites() - before };
}

const told = async () =>
  (await world.events()).flatMap(({ reason, note }) => (reason === "StatusOverwritten" ? note : []));

describe("a client that overwrites status for an hour", () => {
  test.each([
    ["drops a field after 20 ms", 20, () => dropField()],
    ["drops a field after half a second", 500, () => dropField()],
    ["wipes all of it after two seconds", 2_000, () => overwrite(null)],
    ["empties the conditions after half a minute", 30_000, () => overwrite({ conditions: [] })],
  ])("and %s costs few writes and calls, and is told once", async (_what, afterMs, act) => {
    const quiet = await costOfAnHour();
    expect(quiet.writes).toBe(0);
    await begin(afterMs, act);
    const { calls, writes } = await costOfAnHour();
    expect(writes).toBeGreaterThanOrEqual(10);
    expect(writes).toBeLessThanOrEqual(60);
    expect(calls).toBeLessThanOrEqual(2 * quiet.calls);
    expect(await told()).toHaveLength(1);
  });

  test.each([
    ["before anybody sees it", 0],
    ["after 20 ms", 20],
    ["after half a second", 500],
  ])("and drops what a missing balancer waits for %s costs few writes and calls", async (_when, afterMs) => {
    const quiet = await costOfAnHour();
    await begin(afterMs, dropField);
    await world.clock.advance(10 * minuteMs);
    await world.cloud.octavia.deleteLoadBalancer(balancerNamed(world, "az2").id);
    const { calls, writes } = await costOfAnHour();
    expect(writes).toBeGreaterThanOrEqual(10);
    expect(writes).toBeLessThanOrEqual(60);
    // Each look lists the names of what is missing besides, and no object with something to do shares its lists with others.
    expect(calls).toBeLessThanOrEqual(4 * quiet.calls);
    expect(await told()).toHaveLength(1);
  });

  test("does not keep a missing balancer from being made soon, where its place can be read for a moment", async () => {
    await begin(500, dropField);
    await world.clock.advance(hourMs);
    await world.cloud.octavia.deleteLoadBalancer(balancerNamed(world, "az2").id);
    await world.clock.advance(2 * minuteMs);
    expect(balancerNamed(world, "az2").provisioningStatus).toBe("ACTIVE");
  });

  test("is told with the object and what is lost", async () => {
    await begin(500, dropField);
    await world.clock.advance(10 * minuteMs);
    const [note] = await told();
    expect(note).toMatch(/^status of OpenStackCluster clusters\/blue: another client .*\(apiServerLoadBalancers\)/);
  });
});

describe("status that somebody overwrote", () => {
  test("once is back at once, and nobody is told", async () => {
    const before = await statusNow();
    await dropField();
    await world.clock.advance(1_000);
    expect(await statusNow()).toEqual(before);
    expect(await told()).toEqual([]);
  });

  test("for an hour is back within minutes after that ends, and once more at once an hour later", async () => {
    const before = await statusNow();
    await begin(500, dropField);
    await world.clock.advance(hourMs);
    rival = undefined;
    await world.clock.advance(6 * minuteMs + 1_000);
    expect(await statusNow()).toEqual(before);
    await world.clock.advance(hourMs);
    await dropField();
    await world.clock.advance(1_000);
    expect(await statusNow()).toEqual(before);
  });

  test("in one field does not keep news out of the others", async () => {
    await begin(500, dropField);
    await world.clock.advance(30 * minuteMs);
    const [member = ""] = membersOf(world, "az2");
    world.lab.fake.faults.setMemberDown(member, true);
    // An interval, the damping time, and the pause between two news.
    await world.clock.advance(3 * minuteMs);
    const conditions = (await statusNow())?.conditions ?? [];
    expect(conditions.find(({ type }) => type === "MembersHealthy")).toMatchObject({ status: "False" });
  });
});
