// Several versions of one kind: one stored object, seen through each of them.

import { beforeAll, expect, it } from "vitest";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import type { GetContext } from "../kube-target.ts";
import { ownersOf } from "./owners.ts";
import {
  type Crd,
  type Custom,
  crds,
  install,
  kindOf,
  until,
  untilServed,
  version,
  widget,
  widgetCrd,
} from "./sample-crd.ts";
import { refusal } from "./samples.ts";

const integer = { type: "integer" };
const old = version(
  { type: "object", properties: { size: integer, legacy: integer } },
  { storage: false, deprecated: true },
);
const current = version(
  { type: "object", properties: { size: integer, colour: { type: "string", default: "grey" } } },
  { name: "v2" },
);
const unserved = version({ type: "object" }, { name: "v3alpha1", served: false, storage: false });

export function crdVersionBehaviours(get: GetContext): void {
  let crd: Crd;
  let v1: Kind<Custom>;
  let v2: Kind<Custom>;

  beforeAll(async () => {
    crd = widgetCrd(get(), [old, current, unserved]);
    await install(get(), crd);
    v1 = kindOf(crd, "v1");
    v2 = kindOf(crd, "v2");
  });

  const fresh = () => ({ name: get().unique("versions"), namespace: get().namespace });

  it("shows one object in every served version", async () => {
    const { admin } = get();
    const metadata = fresh();
    const created = await admin.create(v2, widget(v2, metadata, { size: 1, colour: "red" }));
    const seen = await admin.get(v1, metadata);
    expect(seen.apiVersion).toBe(`${v1.group}/v1`);
    expect(seen.spec).toEqual({ size: 1 });
    expect(seen.metadata).toMatchObject({
      uid: created.metadata.uid,
      resourceVersion: created.metadata.resourceVersion,
    });
  });

  it("drops in storage what the storage version does not know", async () => {
    const { admin } = get();
    const metadata = fresh();
    const created = await admin.create(v1, widget(v1, metadata, { size: 1, legacy: 2 }));
    expect(created.spec).toEqual({ size: 1 });
    expect((await admin.get(v1, metadata)).spec).toEqual({ size: 1 });
    expect((await admin.get(v2, metadata)).spec).toEqual({ size: 1, colour: "grey" });
  });

  it("keeps a field of another version when one version is patched", async () => {
    const { admin } = get();
    const { metadata } = await admin.create(v2, widget(v2, fresh(), { size: 1, colour: "red" }));
    await admin.patch(v1, metadata, { type: "merge", body: { spec: { size: 2 } } });
    expect((await admin.get(v2, metadata)).spec).toMatchObject({ size: 2 });
  });

  it("does not serve a version that is switched off", async () => {
    const error = await refusal(get().admin.list(kindOf(crd, "v3alpha1")));
    expect(error.status).toBe(404);
  });

  it("wants the version of the path in the body", async () => {
    const { admin } = get();
    const object = widget(v2, fresh(), { size: 1 });
    const path = `/apis/${v1.group}/v1/namespaces/${get().namespace}/widgets`;
    expect(await refusal(admin.request({ method: "POST", path, body: object }))).toMatchObject({
      code: "BadRequest",
      status: 400,
    });
  });

  it("lists and watches in the version that was asked for", async () => {
    const { admin } = get();
    const metadata = fresh();
    await admin.create(v2, widget(v2, metadata, { size: 1 }));
    const { items } = await admin.list(v1, { namespace: metadata.namespace });
    expect(items.map(({ apiVersion }) => apiVersion)).toEqual(items.map(() => `${v1.group}/v1`));
    expect(items.map((item) => item.metadata.name)).toContain(metadata.name);
  });

  it("warns about a deprecated version", async () => {
    const { transport } = get();
    const path = `/apis/${v1.group}/v1/namespaces/${get().namespace}/widgets`;
    const { headers } = await transport.send({ method: "GET", path, headers: { accept: "application/json" } });
    expect(headers["warning"]).toBe(`299 - "${v1.group}/v1 Widget is deprecated; use ${v1.group}/v2 Widget"`);
  });

  it("cannot tell owners apart where a version lacks a field of another", async () => {
    const { admin } = get();
    const metadata = fresh();
    await admin.apply(v1, widget(v1, metadata, { size: 1 }), { fieldManager: "alice" });
    const error = await refusal(admin.apply(v2, widget(v2, metadata, { colour: "red" }), { fieldManager: "bob" }));
    expect(error.status).toBe(500);
  });

  it("records at which version a manager wrote", async () => {
    const { admin } = get();
    const metadata = fresh();
    await admin.apply(v2, widget(v2, metadata, { colour: "red" }), { fieldManager: "alice" });
    const applied = await admin.apply<Custom>(v1, widget(v1, metadata, { size: 1 }), { fieldManager: "bob" });
    expect(applied.metadata.managedFields).toMatchObject([
      { manager: "alice", apiVersion: `${v1.group}/v2` },
      { manager: "bob", apiVersion: `${v1.group}/v1` },
    ]);
  });

  it("meets conflicts across versions, and takes an applier for the same one at each", async () => {
    const context = get();
    const { admin } = context;
    const spec = { type: "object", properties: { size: integer, colour: { type: "string" } } };
    const both = widgetCrd(context, [version(spec), version(spec, { name: "v2", storage: false })]);
    const one = await install(context, both);
    const two = kindOf(both, "v2");
    const metadata = fresh();
    await admin.apply(one, widget(one, metadata, { size: 1 }), { fieldManager: "alice" });
    const error = await refusal(admin.apply(two, widget(two, metadata, { size: 2 }), { fieldManager: "bob" }));
    expect(error.causes).toMatchObject([{ field: ".spec.size", message: 'conflict with "alice"' }]);
    const applied = await admin.apply<Custom>(two, widget(two, metadata, { colour: "red" }), { fieldManager: "alice" });
    expect(applied.spec).toEqual({ colour: "red" });
    expect(ownersOf(applied)).toEqual({ "alice Apply": ["f:spec/f:colour"] });
  });

  it("remembers every version that ever was the storage version", async () => {
    const context = get();
    const changing = widgetCrd(context, [version({ type: "object", properties: { a: integer } })]);
    const before = await install(context, changing);
    const { metadata } = await context.admin.create(before, widget(before, fresh(), { a: 1 }));
    const versions = [
      version({ type: "object", properties: { a: integer } }, { storage: false }),
      version({ type: "object", properties: { a: integer, b: integer } }, { name: "v2" }),
    ];
    await context.admin.patch(crds, changing.metadata, { type: "merge", body: { spec: { versions } } });
    const after = kindOf(changing, "v2");
    await untilServed(context, after);
    await until(async () => {
      const { status } = await context.admin.get(crds, changing.metadata);
      return JSON.stringify(status?.["storedVersions"]) === '["v1","v2"]';
    });
    expect(await context.admin.get(after, metadata)).toMatchObject({ apiVersion: `${after.group}/v2`, spec: { a: 1 } });
  });
}
