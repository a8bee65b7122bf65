// How lists and maps merge: by key, as sets, or as one piece; and what has no declared shape.

import { beforeAll, expect, it } from "vitest";
import { services } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import type { GetContext } from "../kube-target.ts";
import { ownersOf } from "./owners.ts";
import { type Custom, installSpec, widget } from "./sample-crd.ts";
import { refusal, type Service, service } from "./samples.ts";

const named = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, size: { type: "integer" } },
};
const spec = {
  type: "object",
  properties: {
    byName: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items: named },
    set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    whole: { type: "array", items: { type: "string" } },
    piece: {
      type: "object",
      "x-kubernetes-map-type": "atomic",
      properties: { a: { type: "integer" }, b: { type: "integer" } },
    },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    inner: { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } } },
  },
};
const alice = { fieldManager: "alice" };
const bob = { fieldManager: "bob" };

export function listBehaviours(get: GetContext): void {
  let widgets: Kind<Custom>;

  beforeAll(async () => {
    widgets = await installSpec(get(), spec);
  });

  function fresh(): {
    readonly apply: (
      who: { fieldManager: string; force?: boolean },
      spec: Readonly<Record<string, unknown>>,
    ) => Promise<Custom>;
  } {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("list"), namespace };
    return { apply: (who, wanted) => admin.apply<Custom>(widgets, widget(widgets, metadata, wanted), who) };
  }

  it("merges a list of named items by name", async () => {
    const { apply } = fresh();
    await apply(alice, {
      byName: [
        { name: "a", size: 1 },
        { name: "c", size: 1 },
      ],
    });
    const after = await apply(bob, { byName: [{ name: "b", size: 2 }] });
    expect(after.spec).toEqual({
      byName: [
        { name: "a", size: 1 },
        { name: "c", size: 1 },
        { name: "b", size: 2 },
      ],
    });
    expect(ownersOf(after)).toEqual({
      "alice Apply": ["a", "c"].flatMap((name) => owned(name)).sort(),
      "bob Apply": owned("b"),
    });
  });

  it("removes only the applier's own items", async () => {
    const { apply } = fresh();
    await apply(alice, { byName: [{ name: "a" }, { name: "b" }] });
    await apply(bob, { byName: [{ name: "c" }] });
    const after = await apply(alice, { byName: [{ name: "b" }] });
    expect(after.spec).toEqual({ byName: [{ name: "b" }, { name: "c" }] });
  });

  it("keeps an item without the fields of the one who left", async () => {
    const { apply } = fresh();
    await apply(alice, { byName: [{ name: "a", size: 1 }] });
    await apply(bob, { byName: [{ name: "a" }] });
    const after = await apply(alice, {});
    expect(after.spec).toEqual({ byName: [{ name: "a" }] });
  });

  it("puts items in the order in which they were applied last", async () => {
    const { apply } = fresh();
    await apply(alice, { byName: [{ name: "a" }, { name: "b" }, { name: "c" }] });
    const after = await apply(alice, { byName: [{ name: "c" }, { name: "d" }, { name: "a" }, { name: "b" }] });
    expect(after.spec).toEqual({ byName: [{ name: "c" }, { name: "d" }, { name: "a" }, { name: "b" }] });
  });

  it("keeps foreign items where they were when applied items change places", async () => {
    const { apply } = fresh();
    await apply(alice, { set: ["a", "b", "x"] });
    const after = await apply(bob, { set: ["b", "n", "a"] });
    expect(after.spec).toEqual({ set: ["b", "x", "n", "a"] });
  });

  it("owns the values of a set one by one", async () => {
    const { apply } = fresh();
    await apply(alice, { set: ["a", "b"] });
    await apply(bob, { set: ["b", "c"] });
    const after = await apply(alice, { set: [] });
    expect(after.spec).toEqual({ set: ["b", "c"] });
    expect(ownersOf(after)["bob Apply"]).toEqual(['f:spec/f:set/v:"b"', 'f:spec/f:set/v:"c"']);
  });

  it("takes a list without a type as one piece", async () => {
    const { apply } = fresh();
    await apply(alice, { whole: ["a"] });
    const error = await refusal(apply(bob, { whole: ["b"] }));
    expect(error.causes).toMatchObject([{ field: ".spec.whole", message: 'conflict with "alice"' }]);
    const after = await apply({ ...bob, force: true }, { whole: ["b"] });
    expect(after.spec).toEqual({ whole: ["b"] });
    expect(ownersOf(after)).toEqual({ "bob Apply": ["f:spec/f:whole"] });
  });

  it("takes an atomic map as one piece, and others field by field", async () => {
    const { apply } = fresh();
    await apply(alice, { piece: { a: 1 }, inner: { a: 1 } });
    const error = await refusal(apply(bob, { piece: { b: 2 }, inner: { b: 2 } }));
    expect(error.causes.map(({ field }) => field)).toEqual([".spec.piece"]);
    const after = await apply({ ...bob, force: true }, { piece: { b: 2 }, inner: { b: 2 } });
    expect(after.spec).toEqual({ piece: { b: 2 }, inner: { a: 1, b: 2 } });
  });

  it("merges what has no declared shape as maps, with lists as one piece", async () => {
    const { apply } = fresh();
    await apply(alice, { free: { a: { x: 1 }, l: [1] } });
    const after = await apply(bob, { free: { a: { y: 2 } } });
    expect(after.spec).toEqual({ free: { a: { x: 1, y: 2 }, l: [1] } });
    const error = await refusal(apply(bob, { free: { a: { y: 2 }, l: [2] } }));
    expect(error.causes.map(({ field }) => field)).toEqual([".spec.free.l"]);
  });

  it("refuses to apply two items under one key", async () => {
    const { apply } = fresh();
    expect(await refusal(apply(alice, { byName: [{ name: "a" }, { name: "a" }] }))).toMatchObject({ status: 500 });
    expect(await refusal(apply(alice, { set: ["a", "a"] }))).toMatchObject({ status: 500 });
  });

  it("knows a port by its number and its default protocol", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("ports"), namespace };
    const kind = services as Kind<Service>;
    await admin.apply(kind, service(metadata, [{ name: "web", port: 80 }]), alice);
    const wanted = { ...service(metadata), spec: { ports: [{ name: "dns", port: 53, protocol: "UDP" }] } };
    const after = await admin.apply<Service>(kind, wanted, bob);
    expect(after.spec.ports.map(({ port, protocol }) => [port, protocol])).toEqual([
      [80, "TCP"],
      [53, "UDP"],
    ]);
    expect(ownersOf(after)["bob Apply"]).toEqual(
      ["", "/f:name", "/f:port", "/f:protocol"].map((end) => `f:spec/f:ports/k:{"port":53,"protocol":"UDP"}${end}`),
    );
    expect(ownersOf(after)["alice Apply"]).toContain('f:spec/f:ports/k:{"port":80,"protocol":"TCP"}/f:port');
    expect(ownersOf(after)["alice Apply"]).not.toContain('f:spec/f:ports/k:{"port":80,"protocol":"TCP"}/f:protocol');
  });
}

function owned(name: string): readonly string[] {
  return ["", "/f:name", "/f:size"].map((end) => `f:spec/f:byName/k:{"name":"${name}"}${end}`);
}
