// Deletion: preconditions, finalizers, grace, and what happens to those an object owns.

import { expect, it } from "vitest";
import { present } from "../../../src/core/present.ts";
import type { GetContext } from "../kube-target.ts";
import { type Answer, call, configMap, created, fieldsOf, pathOf } from "./api-calls.ts";
import { eventually } from "./raw-request.ts";

export function deleteBehaviours(get: GetContext): void {
  const maps = () => pathOf(get, "configmaps");

  async function map(metadata: object = {}): Promise<{ path: string; metadata: Answer["body"] }> {
    const object = await created(get, maps(), configMap(get().unique("del"), {}, metadata));
    return { path: pathOf(get, "configmaps", object.metadata.name), metadata: object.metadata };
  }
  const ownedBy = (owner: Answer["body"], extra: object = {}) => ({
    ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: owner.name, uid: owner.uid, ...extra }],
  });
  const gone = (path: string) =>
    eventually(`${path} goes`, async () => ((await call(get, "GET", path)).status === 404 ? true : undefined));
  const stays = async (path: string) => {
    // Long enough for the garbage collector of the real server to have acted on it.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return (await call(get, "GET", path)).status;
  };

  it("answers with a Status that names what is gone", async () => {
    const { path, metadata } = await map();
    const answer = await call(get, "DELETE", path);
    expect(answer.body).toMatchObject({
      kind: "Status",
      status: "Success",
      details: { name: metadata.name, kind: "configmaps", uid: metadata.uid },
    });
    expect((await call(get, "DELETE", path)).status).toBe(404);
  });

  it("deletes only what the preconditions name", async () => {
    const { path, metadata } = await map();
    for (const preconditions of [{ uid: "x" }, { resourceVersion: "1" }]) {
      const answer = await call(get, "DELETE", path, { preconditions });
      expect([answer.status, answer.body.reason]).toEqual([409, "Conflict"]);
    }
    const { uid, resourceVersion } = metadata;
    expect((await call(get, "DELETE", path, { preconditions: { uid, resourceVersion } })).status).toBe(200);
  });

  it("refuses options it does not know", async () => {
    const { path } = await map();
    const policy = await call(get, "DELETE", path, { propagationPolicy: "Foo" });
    expect([policy.status, fieldsOf(policy)]).toEqual([422, ["propagationPolicy"]]);
    const both = await call(get, "DELETE", path, { propagationPolicy: "Orphan", orphanDependents: true });
    expect([both.status, fieldsOf(both)]).toEqual([422, ["propagationPolicy"]]);
    expect((await call(get, "DELETE", path, { kind: "Foo", apiVersion: "v1" })).status).toBe(400);
  });

  it("deletes nothing in a dry run", async () => {
    const { path } = await map();
    expect((await call(get, "DELETE", `${path}?dryRun=All`)).status).toBe(200);
    expect((await call(get, "DELETE", path, { dryRun: ["All"] })).status).toBe(200);
    expect((await call(get, "GET", path)).status).toBe(200);
  });

  it("keeps an object with finalizers until the last one goes", async () => {
    const { path } = await map({ finalizers: ["test.io/a"] });
    const begun = await call(get, "DELETE", path);
    expect(begun.body).toMatchObject({
      kind: "ConfigMap",
      metadata: { deletionGracePeriodSeconds: 0, finalizers: ["test.io/a"] },
    });
    expect(begun.body.metadata.deletionTimestamp).toBeDefined();
    const again = await call(get, "DELETE", path);
    expect(again.body.metadata.resourceVersion).toBe(begun.body.metadata.resourceVersion);
    const kept = await call(get, "PATCH", path, { data: { a: "1" }, metadata: { deletionTimestamp: null } }, "merge");
    expect(kept.body.metadata.deletionTimestamp).toBe(begun.body.metadata.deletionTimestamp);
    const added = await call(get, "PATCH", path, { metadata: { finalizers: ["test.io/a", "test.io/b"] } }, "merge");
    expect([added.status, added.body.details.causes[0].field]).toEqual([422, "metadata.finalizers"]);
    expect((await call(get, "PATCH", path, { metadata: { finalizers: null } }, "merge")).status).toBe(200);
    expect((await call(get, "GET", path)).status).toBe(404);
  });

  it("counts a new generation when a deletion begins", async () => {
    const name = get().unique("gen");
    const path = pathOf(get, "endpointslices", name, "discovery.k8s.io/v1");
    await created(get, pathOf(get, "endpointslices", "", "discovery.k8s.io/v1"), {
      metadata: { name, finalizers: ["test.io/a"] },
      addressType: "IPv4",
      endpoints: [],
    });
    expect((await call(get, "DELETE", path)).body.metadata.generation).toBe(2);
    await call(get, "PATCH", path, { metadata: { finalizers: null } }, "merge");
  });

  it("turns propagation into a finalizer", async () => {
    const { path } = await map({ finalizers: ["test.io/a"] });
    const foreground = await call(get, "DELETE", `${path}?propagationPolicy=Foreground`);
    expect(foreground.body.metadata.finalizers.toSorted()).toContain("test.io/a");
    await call(get, "PATCH", path, { metadata: { finalizers: null } }, "merge");
    await gone(path);
  });

  it("collects what loses its owner", async () => {
    const owner = await map();
    const child = await map(ownedBy(owner.metadata));
    const grandchild = await map(ownedBy(child.metadata));
    await call(get, "DELETE", owner.path);
    await gone(child.path);
    await gone(grandchild.path);
  });

  it("keeps what has another owner, and forgets the lost one", async () => {
    const [lost, kept] = [await map(), await map()];
    const references = [...ownedBy(lost.metadata).ownerReferences, ...ownedBy(kept.metadata).ownerReferences];
    const child = await map({ ownerReferences: references });
    await call(get, "DELETE", lost.path);
    await eventually("the lost owner is forgotten", async () => {
      const { metadata } = (await call(get, "GET", child.path)).body;
      return metadata.ownerReferences?.length === 1 ? true : undefined;
    });
    expect((await call(get, "GET", child.path)).body.metadata.ownerReferences[0].uid).toBe(kept.metadata.uid);
  });

  it("collects what names an owner that never was, or another of the same name", async () => {
    const namesake = await map();
    const first = await map(ownedBy({ name: "never-was", uid: "00000000-0000-4000-8000-000000000000" }));
    const second = await map(ownedBy({ name: namesake.metadata.name, uid: "00000000-0000-4000-8000-000000000001" }));
    await gone(first.path);
    await gone(second.path);
  });

  it("leaves alone what names an owner of a kind nobody serves", async () => {
    const child = await map({
      ownerReferences: [
        { apiVersion: "nobody.example/v1", kind: "Thing", name: "x", uid: "00000000-0000-4000-8000-000000000002" },
      ],
    });
    expect(await stays(child.path)).toBe(200);
  });

  it("lets dependents go free when told to orphan them", async () => {
    const owner = await map();
    const child = await map(ownedBy(owner.metadata));
    await call(get, "DELETE", owner.path, { propagationPolicy: "Orphan" });
    await gone(owner.path);
    const { metadata } = (await call(get, "GET", child.path)).body;
    expect(metadata).not.toHaveProperty("ownerReferences");
  });

  it("deletes dependents first in the foreground, and waits for those that block", async () => {
    const owner = await map();
    const blocking = await map({
      ...ownedBy(owner.metadata, { blockOwnerDeletion: true }),
      finalizers: ["test.io/hold"],
    });
    await call(get, "DELETE", owner.path, { propagationPolicy: "Foreground" });
    await eventually(
      "the dependent begins to go",
      async () => (await call(get, "GET", blocking.path)).body.metadata.deletionTimestamp,
    );
    const waiting = (await call(get, "GET", owner.path)).body.metadata;
    expect(waiting.finalizers).toEqual(["foregroundDeletion"]);
    await call(get, "PATCH", blocking.path, { metadata: { finalizers: null } }, "merge");
    await gone(owner.path);
  });

  it("does not wait in the foreground for a dependent that does not block", async () => {
    const owner = await map();
    const child = await map({ ...ownedBy(owner.metadata), finalizers: ["test.io/hold"] });
    await call(get, "DELETE", owner.path, { propagationPolicy: "Foreground" });
    await gone(owner.path);
    await eventually(
      "the dependent begins to go",
      async () => (await call(get, "GET", child.path)).body.metadata.deletionTimestamp,
    );
    await call(get, "PATCH", child.path, { metadata: { finalizers: null } }, "merge");
    await gone(child.path);
  });

  it("deletes what a selector selects and answers with the list", async () => {
    const set = get().unique("set");
    const labels = { "delete.test/set": set };
    const [first, second, other] = [await map({ labels }), await map({ labels }), await map()];
    const answer = await call(get, "DELETE", `${maps()}?labelSelector=delete.test/set%3D${set}`);
    expect([answer.status, answer.body.kind, answer.body.items.length]).toEqual([200, "ConfigMapList", 2]);
    expect((await call(get, "GET", first.path)).status).toBe(404);
    expect((await call(get, "GET", second.path)).status).toBe(404);
    expect((await call(get, "GET", other.path)).status).toBe(200);
  });

  it("waits for a kubelet only when a Pod has a node", async () => {
    const pod = (nodeName?: string) => ({
      ...present({ nodeName }),
      automountServiceAccountToken: false,
      containers: [{ name: "c", image: "i" }],
    });
    const free = get().unique("pod");
    const bound = get().unique("pod");
    await eventually("Pods may be created", async () => {
      const answer = await call(get, "POST", pathOf(get, "pods"), { metadata: { name: free }, spec: pod() });
      return answer.status === 201 ? true : undefined;
    });
    await created(get, pathOf(get, "pods"), { metadata: { name: bound }, spec: pod("no-kubelet-here") });
    const at = (name: string) => pathOf(get, "pods", name);
    expect((await call(get, "DELETE", at(free))).body).toMatchObject({
      kind: "Pod",
      metadata: { deletionGracePeriodSeconds: 0 },
    });
    expect((await call(get, "GET", at(free))).status).toBe(404);
    expect((await call(get, "DELETE", at(bound))).body.metadata).toMatchObject({
      deletionGracePeriodSeconds: 30,
      generation: 2,
    });
    expect(
      (await call(get, "DELETE", `${at(bound)}?gracePeriodSeconds=5`)).body.metadata.deletionGracePeriodSeconds,
    ).toBe(5);
    expect(
      (await call(get, "DELETE", `${at(bound)}?gracePeriodSeconds=20`)).body.metadata.deletionGracePeriodSeconds,
    ).toBe(5);
    await call(get, "DELETE", `${at(bound)}?gracePeriodSeconds=0`);
    expect((await call(get, "GET", at(bound))).status).toBe(404);
  });
}
