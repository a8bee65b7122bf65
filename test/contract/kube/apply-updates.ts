// Updates and patches are tracked too: they take what they change, and never conflict.

import { beforeAll, expect, it } from "vitest";
import { configMaps, services } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import type { GetContext } from "../kube-target.ts";
import { entriesOf, ownersOf } from "./owners.ts";
import { type Custom, installSpec, widget } from "./sample-crd.ts";
import { type ConfigMap, configMap, refusal, type Service, service } from "./samples.ts";

const maps = configMaps as Kind<ConfigMap>;
const alice = { fieldManager: "alice" };
const carol = { fieldManager: "carol" };

export function updateTrackingBehaviours(get: GetContext): void {
  let widgets: Kind<Custom>;

  beforeAll(async () => {
    const spec = { type: "object", properties: { a: { type: "integer" }, b: { type: "integer", default: 7 } } };
    widgets = await installSpec(get(), spec, { subresources: { status: {} } });
  });

  it("gives everything that is created to the creator", async () => {
    const { admin, namespace, unique } = get();
    const created = await admin.create(
      maps,
      configMap({ name: unique("made"), namespace, labels: { l: "1" } }, { x: "1" }),
      carol,
    );
    expect(ownersOf(created)).toEqual({
      "carol Update": ["f:data", "f:data/f:x", "f:metadata/f:labels", "f:metadata/f:labels/f:l"],
    });
  });

  it("owns the fields of built-in kinds, not the structs around them", async () => {
    const { admin, namespace, unique } = get();
    const created = await admin.create(services as Kind<Service>, service({ name: unique("svc"), namespace }), carol);
    const owned = ownersOf(created)["carol Update"];
    expect(owned).toContain("f:spec/f:clusterIP");
    expect(owned).toContain('f:spec/f:ports/k:{"port":80,"protocol":"TCP"}');
    expect(owned).not.toContain("f:spec");
    expect(owned).not.toContain("f:status");
  });

  it("gives defaults of a custom resource to its creator, and not to an applier", async () => {
    const { admin, namespace, unique } = get();
    const created = await admin.create(widgets, widget(widgets, { name: unique("def"), namespace }, { a: 1 }), carol);
    expect(ownersOf(created)).toEqual({ "carol Update": ["f:spec", "f:spec/f:a", "f:spec/f:b"] });
    const applied = await admin.apply<Custom>(
      widgets,
      widget(widgets, { name: unique("def"), namespace }, { a: 1 }),
      alice,
    );
    expect(applied.spec).toEqual({ a: 1, b: 7 });
    expect(ownersOf(applied)).toEqual({ "alice Apply": ["f:spec/f:a"] });
  });

  it("takes a field from the applier whose value it changes", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("take"), namespace };
    await admin.apply(maps, configMap(metadata, { x: "1", y: "1" }), alice);
    const patched = await admin.patch(maps, metadata, { type: "merge", body: { data: { x: "2" } } }, carol);
    expect(ownersOf(patched)).toEqual({ "alice Apply": ["f:data/f:y"], "carol Update": ["f:data/f:x"] });
    const error = await refusal(admin.apply(maps, configMap(metadata, { x: "1", y: "1" }), alice));
    expect(error.causes).toMatchObject([{ field: ".data.x", message: 'conflict with "carol" using v1' }]);
  });

  it("lets nobody own what an update removed", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("gone"), namespace };
    await admin.apply(maps, configMap(metadata, { x: "1", y: "1" }), alice);
    const patched = await admin.patch(
      maps,
      metadata,
      { type: "json", body: [{ op: "remove", path: "/data/x" }] },
      carol,
    );
    expect(ownersOf(patched)).toEqual({ "alice Apply": ["f:data/f:y"] });
  });

  it("adds later updates of one manager to its one entry", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(maps, configMap({ name: unique("once"), namespace }, { x: "1" }), carol);
    const patched = await admin.patch(maps, metadata, { type: "merge", body: { data: { y: "1" } } }, carol);
    expect(ownersOf(patched)).toEqual({ "carol Update": ["f:data", "f:data/f:x", "f:data/f:y"] });
  });

  it("tells an applier and an updater of one name apart", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("both"), namespace };
    await admin.apply(maps, configMap(metadata, { x: "1" }), alice);
    const patched = await admin.patch(maps, metadata, { type: "merge", body: { data: { y: "1" } } }, alice);
    expect(ownersOf(patched)).toEqual({ "alice Apply": ["f:data/f:x"], "alice Update": ["f:data/f:y"] });
  });

  it("keeps the status endpoint's ownership apart", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("status"), namespace };
    await admin.apply(widgets, widget(widgets, metadata, { a: 1 }), alice);
    const status = { ...widget(widgets, metadata), status: { ready: true } };
    const applied = await admin.apply<Custom>(widgets, status, { ...alice, subresource: "status" });
    expect(applied.spec).toEqual({ a: 1, b: 7 });
    expect(applied.status).toEqual({ ready: true });
    expect(ownersOf(applied)).toEqual({ "alice Apply": ["f:spec/f:a"], "alice Apply status": ["f:status/f:ready"] });
  });

  it("names the status endpoint in a conflict", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("status"), namespace };
    await admin.create(widgets, widget(widgets, metadata, { a: 1 }));
    const status = (ready: boolean) => ({ ...widget(widgets, metadata), status: { ready } });
    await admin.apply(widgets, status(true), { ...alice, subresource: "status" });
    const error = await refusal(admin.apply(widgets, status(false), { ...carol, subresource: "status" }));
    expect(error.causes).toMatchObject([
      { field: ".status.ready", message: 'conflict with "alice" with subresource "status"' },
    ]);
  });

  it("ignores status that is applied to the object itself", async () => {
    const { admin, namespace, unique } = get();
    const wanted = { ...widget(widgets, { name: unique("ignored"), namespace }, { a: 1 }), status: { ready: true } };
    const applied = await admin.apply<Custom>(widgets, wanted, alice);
    expect(applied.status).toBeUndefined();
    expect(ownersOf(applied)).toEqual({ "alice Apply": ["f:spec/f:a"] });
  });

  it.each([
    ["an empty list", []],
    ["a list of one empty entry", [{}]],
  ])("forgets ownership when managedFields is set to %s", async (_, reset) => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("reset"), namespace };
    await admin.apply(maps, configMap(metadata, { x: "1" }), alice);
    const body = { metadata: { managedFields: reset } };
    const forgotten = await admin.patch(maps, metadata, { type: "merge", body }, carol);
    expect(forgotten.metadata.managedFields).toBeUndefined();
    const patched = await admin.patch(maps, metadata, { type: "merge", body: { data: { y: "1" } } }, carol);
    expect(patched.metadata.managedFields).toBeUndefined();
  });

  it("gives what was there before ownership began to a manager of that name", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("before"), namespace };
    await admin.create(maps, configMap(metadata, { x: "1" }), carol);
    await admin.patch(maps, metadata, { type: "merge", body: { metadata: { managedFields: [] } } });
    const applied = await admin.apply<ConfigMap>(maps, configMap(metadata, { y: "1" }), alice);
    expect(ownersOf(applied)).toEqual({
      "alice Apply": ["f:data/f:y"],
      "before-first-apply Update": ["f:data", "f:data/f:x"],
    });
  });

  it("remembers ten updaters and puts older ones together", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("many"), namespace };
    await admin.create(maps, configMap(metadata, { k0: "1" }), { fieldManager: "updater-0" });
    for (let i = 1; i <= 11; i += 1) {
      await admin.patch(
        maps,
        metadata,
        { type: "merge", body: { data: { [`k${i}`]: "1" } } },
        { fieldManager: `updater-${i}` },
      );
    }
    const entries = entriesOf(await admin.get(maps, metadata));
    expect(entries).toHaveLength(10);
    const ancient = entries.find((entry) => entry.manager === "ancient-changes");
    expect(Object.keys(ancient?.fieldsV1["f:data"] ?? {}).filter((name) => name !== ".")).toHaveLength(3);
  });
}
