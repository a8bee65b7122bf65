// `clusterctl move` deletes the objects that it has copied, in whichever order. What they stand for in the cloud has moved with the copies:
// nothing there is touched, whether the pause was seen or not, and the copies find it again.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clusters } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../../src/apis/kube/kube-object.ts";
import {
  clusterDeletedAnnotation,
  deleteForMoveAnnotation,
  ownerIdAnnotation,
} from "../../../src/jobs/api-endpoint/apis/annotations.ts";
import { apiEndpoints } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint.ts";
import { apiEndpointUpdateProblems } from "../../../src/jobs/api-endpoint/apis/api-endpoint/api-endpoint-validation.ts";
import { openStackClusters } from "../../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import type { TestManager } from "../../support/test-manager.ts";
import { type AsWhom, asMoved, stepsOf, unlessGone } from "../world/clusterctl-move.ts";
import { EndpointWorld, namespace } from "../world/endpoint-world.ts";

const ref = { name: "blue", namespace };
const endpoint = { host: "api.blue.example.com", port: 6443 };
let world: EndpointWorld;
let running: TestManager;

beforeEach(async () => {
  world = new EndpointWorld();
  await world.furnish();
  running = world.work();
});
afterEach(() => running.manager.stop());

type Door = "OpenStackCluster" | "APIEndpoint";
const kindOf = (door: Door): Kind => (door === "OpenStackCluster" ? openStackClusters : apiEndpoints);
const names = ["Cluster", "object", "Secret"] as const;
type Part = (typeof names)[number];

function* orders(parts: readonly Part[], before: readonly Part[] = []): Iterable<readonly Part[]> {
  if (parts.length === 0) yield before;
  for (const part of parts)
    yield* orders(
      parts.filter((other) => other !== part),
      [...before, part],
    );
}

async function begin(door: Door): Promise<void> {
  const spec = { controlPlaneEndpoint: endpoint, apiServerLoadBalancer: world.zones() };
  if (door === "OpenStackCluster") await world.cluster("blue", { spec });
  else {
    await world.put(clusters, "blue", {});
    await world.kube.create(apiEndpoints, world.apiEndpoint("blue", spec));
  }
  await world.clock.advance(180_000);
}

const rows = () => {
  const { loadbalancers, listeners, pools, healthmonitors, floatingips } = world.lab.fake.cloud.tables;
  return [loadbalancers, listeners, pools, healthmonitors, floatingips]
    .flatMap((table) => table.all() as readonly { readonly id: string; readonly tags: readonly string[] }[])
    .map(({ id, tags }) => `${id} ${tags.toSorted().join()}`)
    .toSorted();
};

const placeOf = (part: Part, door: Door) => {
  if (part === "Secret") return { kind: secrets as Kind, ref: { name: "cloud", namespace } };
  return { kind: part === "Cluster" ? (clusters as Kind) : kindOf(door), ref };
};

async function pause(paused: boolean): Promise<void> {
  await world.kube.patch(clusters, ref, { type: "merge", body: { spec: { paused } } });
}

async function deleteAll(order: readonly Part[], door: Door, asWhom: AsWhom): Promise<void> {
  for (const part of order)
    for (const step of stepsOf(asWhom)) {
      const { kind, ref: at } = placeOf(part, door);
      await unlessGone(step(world.kube, kind, at));
      await world.clock.advance(20_000);
    }
}

describe.each(["OpenStackCluster", "APIEndpoint"] as const)("an %s that is moved", (door) => {
  test.each([...orders(names)].map((order) => [order.join(", "), order] as const))(
    "leaves the cloud as it is when these are deleted: %s",
    async (_words, order) => {
      await begin(door);
      const before = rows();
      const copies: (readonly [Kind, KubeObject])[] = [];
      await pause(true);
      await world.clock.advance(5_000);
      for (const part of names) {
        const { kind, ref: at } = placeOf(part, door);
        copies.push([kind, await world.kube.get(kind, at)]);
      }
      await deleteAll(order, door, "clusterctl");
      for (const part of names) {
        const { kind, ref: at } = placeOf(part, door);
        await expect(world.kube.get(kind, at)).rejects.toMatchObject({ code: "NotFound" });
      }
      expect(rows()).toEqual(before);
      const uids = new Map<string, string>();
      for (const [kind, copy] of copies) {
        const made = await world.kube.create(kind, asMoved(copy, uids));
        uids.set(copy.metadata.uid ?? "", made.metadata.uid ?? "");
      }
      await pause(false);
      await world.clock.advance(120_000);
      expect(rows()).toEqual(before);
      const { status } = await world.kube.get<KubeObject & { readonly status?: { readonly conditions?: unknown } }>(
        kindOf(door),
        ref,
      );
      expect(status?.conditions).toContainEqual(expect.objectContaining({ type: "Ready", status: "True" }));
    },
  );

  test.each(["clusterctl", "another tool"] as const)("needs no pause for that, by %s", async (asWhom) => {
    await begin(door);
    const before = rows();
    await deleteAll(["object"], door, asWhom);
    await expect(world.kube.get(kindOf(door), ref)).rejects.toMatchObject({ code: "NotFound" });
    expect(rows()).toEqual(before);
  });

  test("and not deleted is left alone, and says so", async () => {
    await begin(door);
    const before = rows();
    const body = { metadata: { annotations: { [deleteForMoveAnnotation]: "" } } };
    await world.kube.patch(kindOf(door), ref, { type: "merge", body });
    await world.machine("blue", "az1");
    await world.clock.advance(60_000);
    expect(rows()).toEqual(before);
    const { status } = await world.kube.get<KubeObject & { readonly status?: { readonly conditions?: unknown } }>(
      kindOf(door),
      ref,
    );
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: "Ready", reason: "EndpointMoved" }));
  });
});

describe.each(["OpenStackCluster", "APIEndpoint"] as const)("an %s whose Cluster went while it was paused", (door) => {
  test("is kept, says why, and goes with all it has when somebody says that the Cluster was deleted", async () => {
    await begin(door);
    const before = rows();
    await pause(true);
    await world.clock.advance(5_000);
    await world.kube.delete(clusters, ref);
    await world.kube.delete(kindOf(door), ref);
    await world.clock.advance(120_000);
    expect(rows()).toEqual(before);
    const kept = await world.kube.get<KubeObject & { readonly status?: { readonly conditions?: unknown } }>(
      kindOf(door),
      ref,
    );
    expect(kept.status?.conditions).toContainEqual(
      expect.objectContaining({ type: "Paused", status: "True", reason: "PausedClusterGone" }),
    );
    const body = { metadata: { annotations: { [clusterDeletedAnnotation]: "true" } } };
    await world.kube.patch(kindOf(door), ref, { type: "merge", body });
    await world.clock.advance(120_000);
    expect(rows()).toEqual([]);
    await expect(world.kube.get(kindOf(door), ref)).rejects.toMatchObject({ code: "NotFound" });
  });
});

test("admission lets clusterctl take our annotations away with its own, and nobody else", () => {
  const before = { ...world.apiEndpoint("blue"), metadata: { ...ref, annotations: { [ownerIdAnnotation]: "x" } } };
  const after = (annotations: Readonly<Record<string, string>>) => ({ ...before, metadata: { ...ref, annotations } });
  expect(apiEndpointUpdateProblems(before, after({ [deleteForMoveAnnotation]: "" }))).toEqual([]);
  expect(apiEndpointUpdateProblems(before, after({}))).toHaveLength(1);
});
