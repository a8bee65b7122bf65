import { describe, expect, test } from "vitest";
import { EngineWorld } from "../../../test/support/engine-world.ts";
import { configMaps } from "../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { fencedKube } from "../lease/fenced-kube.ts";
import { addFinalizer, guardedBy, onlyThis, removeFinalizer } from "./guarded-writes.ts";

const ref = { name: "one", namespace: "default" };

async function bench() {
  const { kube } = new EngineWorld();
  const one = await kube.create<KubeObject>(configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...ref, finalizers: ["example.com/theirs"] },
  });
  let touches = 0;
  const touch = () =>
    kube.patch<KubeObject>(configMaps, ref, { type: "merge", body: { data: { touched: String((touches += 1)) } } });
  return { kube, one, touch, read: () => kube.get<KubeObject>(configMaps, ref) };
}

describe("a guarded write", () => {
  test("does its work on the object it was decided on", async () => {
    const { kube, one } = await bench();
    const written = await kube.patch(configMaps, ref, guardedBy(one, { data: { a: "b" } }));
    expect(written).toMatchObject({ data: { a: "b" } });
  });

  test("is a conflict on a changed object", async () => {
    const { kube, one, touch } = await bench();
    await touch();
    await expect(kube.patch(configMaps, ref, guardedBy(one, { data: { a: "b" } }))).rejects.toMatchObject({
      code: "Conflict",
    });
  });

  test("deletes this object, not the next one of its name", async () => {
    const { kube, one, touch } = await bench();
    await removeFinalizer(kube, configMaps, one, "example.com/theirs");
    await kube.delete(configMaps, ref, onlyThis(one));
    await kube.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata: ref });
    await expect(kube.delete(configMaps, ref, onlyThis(one))).rejects.toMatchObject({ code: "Conflict" });
    const next = await touch();
    await touch();
    await expect(kube.delete(configMaps, ref, onlyThis(next, { exact: true }))).rejects.toMatchObject({
      code: "Conflict",
    });
  });
});

describe("finalizers", () => {
  test("come and go beside those of others", async () => {
    const { kube, one, read } = await bench();
    const held = await addFinalizer(kube, configMaps, one, "mainstay.dev/test");
    expect((await read()).metadata.finalizers).toEqual(["example.com/theirs", "mainstay.dev/test"]);
    expect(await addFinalizer(kube, configMaps, held, "mainstay.dev/test")).toBe(held);
    await removeFinalizer(kube, configMaps, held, "mainstay.dev/test");
    expect((await read()).metadata.finalizers).toEqual(["example.com/theirs"]);
  });

  test("of others are never lost to a stale copy", async () => {
    const { kube, one, touch } = await bench();
    await touch();
    await expect(addFinalizer(kube, configMaps, one, "mainstay.dev/test")).rejects.toMatchObject({ code: "Conflict" });
  });
});

describe("a fenced client", () => {
  test("writes while the fence is up and not a moment longer; reads always", async () => {
    const { kube, one, read } = await bench();
    const fence = { leftMs: 1_000, remainingMs: () => fence.leftMs };
    const fenced = fencedKube(kube, { fence, signal: new AbortController().signal });
    await fenced.patch(configMaps, ref, { type: "merge", body: { data: { a: "1" } } });
    fence.leftMs = 0;
    const late = [
      () => fenced.create(configMaps, { ...one, metadata: { name: "two", namespace: "default" } }),
      () => fenced.patch(configMaps, ref, { type: "merge", body: { data: { a: "2" } } }),
      () => fenced.apply(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata: ref }, { fieldManager: "x" }),
      () => fenced.delete(configMaps, ref),
      () => fenced.request({ method: "DELETE", path: "/api/v1/namespaces/default/configmaps/one" }),
    ];
    for (const write of late) await expect(write()).rejects.toMatchObject({ reason: "LeadershipLost" });
    expect(await fenced.get(configMaps, ref)).toMatchObject({ data: { a: "1" } });
    expect(await fenced.request({ method: "GET", path: "/version" })).toBeDefined();
    expect((await read()).metadata.deletionTimestamp).toBeUndefined();
  });

  test.each([
    ["the term's", 0, 1_000],
    ["the caller's own", 1_000, 0],
  ])("obeys the narrower of two fences: %s", async (_whose, termMs, ownMs) => {
    const { kube, read } = await bench();
    const fenced = fencedKube(kube, { fence: { remainingMs: () => termMs }, signal: new AbortController().signal });
    const write = (fence: { remainingMs(): number }) =>
      fenced.patch(configMaps, ref, { type: "merge", body: { data: { a: "1" } } }, { fence });
    await expect(write({ remainingMs: () => ownMs })).rejects.toMatchObject({ reason: "LeadershipLost" });
    expect(await read()).not.toHaveProperty("data");
  });
});
