// `spec.tags` as users change it: what is added reaches everything in the cloud, members included, and what is removed leaves it. Tags of
// others stay. Once everything has them, they cost no call.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import { KubeError } from "../../../src/core/kube-error.ts";
import { tagsAnnotation } from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { floatingIps } from "../world/cloud-contents.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const ref = { name: "blue", namespace };
const endpoint = { host: "api.blue.example.com", port: 6443 };
/** Long enough for every step on every balancer. */
const longMs = 600_000;
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});
afterEach(() => running.manager.stop());

type Door = "OpenStackCluster" | "APIEndpoint";
const doors: Readonly<Record<Door, Kind>> = { OpenStackCluster: openStackClusters, APIEndpoint: apiEndpoints };

async function begin(tags: readonly string[], door: Door = "OpenStackCluster"): Promise<void> {
  const apiServerLoadBalancer = { ...world.zones(["az1", "az2"]), additionalPorts: [9345] };
  const spec = { tags, controlPlaneEndpoint: endpoint, apiServerLoadBalancer };
  if (door === "OpenStackCluster") await world.cluster("blue", { spec });
  else {
    await world.put(clusters, "blue", {});
    await world.kube.create(apiEndpoints, world.apiEndpoint("blue", spec));
  }
  for (const name of ["one", "two"]) await world.machine("blue", "az1", `blue-${name}`);
  await world.machine("blue", "az2");
  await world.clock.advance(longMs);
}

async function change(tags: readonly string[] | null, door: Door = "OpenStackCluster", forMs = longMs): Promise<void> {
  await world.kube.patch(doors[door], ref, { type: "merge", body: { spec: { tags } } });
  await world.clock.advance(forMs);
}

interface Tagged {
  readonly tags: readonly string[];
}

const ofUser = ({ tags }: Tagged) =>
  tags
    .filter((tag) => !tag.startsWith("mainstay-"))
    .toSorted()
    .join(" ");

/** By kind, each different list of tags that people gave. */
function tagsThere(): Readonly<Record<string, readonly string[]>> {
  const { loadbalancers, listeners, pools, healthmonitors, members } = world.lab.fake.cloud.tables;
  const lists = (rows: readonly Tagged[]) => [...new Set(rows.map(ofUser))].toSorted();
  return {
    balancers: lists(loadbalancers.all()),
    listeners: lists(listeners.all()),
    pools: lists(pools.all()),
    monitors: lists(healthmonitors.all()),
    members: lists(members.all()),
    floatingIps: lists(floatingIps(world)),
  };
}

const everywhere = (tags: string) =>
  Object.fromEntries(
    ["balancers", "listeners", "pools", "monitors", "members", "floatingIps"].map((kind) => [kind, [tags]]),
  );

async function annotation(door: Door = "OpenStackCluster"): Promise<string | undefined> {
  return (await world.kube.get(doors[door], ref)).metadata.annotations?.[tagsAnnotation];
}

describe.each(Object.keys(doors) as readonly Door[])("through an %s", (door) => {
  test("tags are added, changed and removed on everything", async () => {
    await begin(["red"], door);
    expect([tagsThere(), await annotation(door)]).toEqual([everywhere("red"), '{"applied":["red"]}']);
    await change(["red", "green"], door);
    expect([tagsThere(), await annotation(door)]).toEqual([everywhere("green red"), '{"applied":["red","green"]}']);
    await change(["blue"], door);
    expect([tagsThere(), await annotation(door)]).toEqual([everywhere("blue"), '{"applied":["blue"]}']);
    await change(null, door);
    expect([tagsThere(), await annotation(door)]).toEqual([everywhere(""), undefined]);
  });
});

test("tags of others stay, on a member too, and a member that somebody switched off stays off", async () => {
  await begin(["red"]);
  const { members } = world.lab.fake.cloud.tables;
  const [tagged, off] = members.all();
  for (const row of members.all()) {
    if (row.id === tagged?.id) members.replace({ ...row, tags: [...row.tags, "somebody's"] });
    if (row.id === off?.id) members.replace({ ...row, adminStateUp: false, weight: 3 });
  }
  await change(["green"]);
  expect(tagsThere()).toEqual({ ...everywhere("green"), members: ["green", "green somebody's"] });
  expect(members.get(off?.id ?? "")).toMatchObject({ adminStateUp: false, weight: 3 });
});

test("a provider that takes no batch gets them member by member", async () => {
  await running.manager.stop();
  world = new EndpointWorld({ cloud: { octaviaMinor: 10 } });
  await world.furnish();
  running = world.work();
  await begin(["red"]);
  await change(["green"], "OpenStackCluster", 2 * longMs);
  expect(tagsThere()).toEqual(everywhere("green"));
});

test.each([5_000, 15_000, 40_000, 90_000])(
  "a manager that dies %i ms after the change, and a spec that changes meanwhile, leave no former tag",
  async (afterMs) => {
    await begin(["red"]);
    await change(["green"], "OpenStackCluster", afterMs);
    await running.manager.stop();
    await change(["blue"], "OpenStackCluster", 1_000);
    running = world.work();
    await world.clock.advance(longMs);
    expect([tagsThere(), await annotation()]).toEqual([everywhere("blue"), '{"applied":["blue"]}']);
  },
);

test("an object of an earlier version, which wrote nothing down, has its members looked at once", async () => {
  await begin(["red"]);
  await running.manager.stop();
  const { members } = world.lab.fake.cloud.tables;
  for (const row of members.all()) members.replace({ ...row, tags: row.tags.filter((tag) => tag !== "red") });
  await world.patch("blue", { metadata: { annotations: { [tagsAnnotation]: null } } });
  running = world.work();
  await world.clock.advance(longMs);
  expect([tagsThere(), await annotation()]).toEqual([everywhere("red"), '{"applied":["red"]}']);
});

test("once everything has them, tags cost no call", async () => {
  await begin(["red"]);
  await change(["green"]);
  world.lab.fake.resetCounts();
  await world.clock.advance(120_000);
  const octavia = [...world.lab.fake.counts()].filter(([call]) => call.startsWith("octavia"));
  expect(octavia).toEqual([["octavia list load balancers", 4]]);
});

test("a change lists the members of each pool a few times, and merges them once", async () => {
  await begin(["red"]);
  world.lab.fake.resetCounts();
  await change(["green"]);
  const counts = world.lab.fake.counts();
  expect(counts.get("octavia merge members")).toBe(4);
  expect(counts.get("octavia list members")).toBeLessThanOrEqual(4 * 8);
});

test.each(["Forbidden", "Invalid", "Conflict"] as const)(
  "a note of them that cannot be written (%s) is told, and the endpoint that serves is Ready",
  async (code) => {
    await begin(["red"]);
    await running.manager.stop();
    const through = (kube: Kube): Kube => ({
      ...kube,
      patch: async (kind, at, patch, options) => {
        if (kind.plural !== openStackClusters.plural || options?.subresource !== undefined)
          return await kube.patch(kind, at, patch, options);
        throw new KubeError({ code, message: "it is refused", hint: "" });
      },
    });
    running = world.manager({ through });
    await change(["green"], "OpenStackCluster", 300_000);
    const conditions = (await world.read("blue")).status?.conditions ?? [];
    const truths = Object.fromEntries(conditions.map(({ type, status }) => [type, status]));
    expect(truths).toMatchObject({ Ready: "True", APIEndpointReady: "True", LoadBalancersReady: "True" });
    expect(conditions.find(({ type }) => type === "Ready")?.message).toMatch(
      /^the API can be reached through az1 and az2, but not everything works: record that the tags of the spec change.*: it is refused/,
    );
  },
);
