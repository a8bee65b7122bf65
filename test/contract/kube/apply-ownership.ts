// Who owns what after an apply, and what goes away when an applier no longer wants it.

import { expect, it } from "vitest";
import { configMaps } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import type { GetContext } from "../kube-target.ts";
import { entriesOf, ownersOf } from "./owners.ts";
import { type ConfigMap, configMap, refusal } from "./samples.ts";

const maps = configMaps as Kind<ConfigMap>;
const alice = { fieldManager: "alice" };
const bob = { fieldManager: "bob" };

export function ownershipBehaviours(get: GetContext): void {
  it("creates what is absent and gives its fields to the applier", async () => {
    const { admin, namespace, unique } = get();
    const applied = await admin.apply<ConfigMap>(
      maps,
      configMap({ name: unique("new"), namespace, labels: { a: "1" } }, { x: "1" }),
      alice,
    );
    expect(applied.data).toEqual({ x: "1" });
    expect(ownersOf(applied)).toEqual({ "alice Apply": ["f:data/f:x", "f:metadata/f:labels/f:a"] });
    expect(entriesOf(applied)[0]).toMatchObject({
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      time: expect.stringMatching(/Z$/),
    });
  });

  it("changes nothing, not even the version, when the same is applied again", async () => {
    const { admin, namespace, unique } = get();
    const wanted = configMap({ name: unique("same"), namespace }, { x: "1" });
    const first = await admin.apply<ConfigMap>(maps, wanted, alice);
    const second = await admin.apply<ConfigMap>(maps, wanted, alice);
    expect(second).toEqual(first);
  });

  it("removes a field that its only owner stopped applying", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("drop"), namespace };
    await admin.apply(
      maps,
      configMap({ ...metadata, labels: { keep: "1", drop: "1" } }, { keep: "1", drop: "1" }),
      alice,
    );
    const after = await admin.apply<ConfigMap>(
      maps,
      configMap({ ...metadata, labels: { keep: "1" } }, { keep: "1" }),
      alice,
    );
    expect(after.data).toEqual({ keep: "1" });
    expect(after.metadata.labels).toEqual({ keep: "1" });
    expect(ownersOf(after)).toEqual({ "alice Apply": ["f:data/f:keep", "f:metadata/f:labels/f:keep"] });
  });

  it("removes a whole map when nothing in it is applied any more", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("empty"), namespace };
    await admin.apply(maps, configMap({ ...metadata, labels: { a: "1" } }, { x: "1" }), alice);
    const after = await admin.apply<ConfigMap>(maps, { apiVersion: "v1", kind: "ConfigMap", metadata }, alice);
    expect(after.data).toBeUndefined();
    expect(after.metadata.labels).toBeUndefined();
    expect(after.metadata.managedFields).toBeUndefined();
  });

  it("keeps a field that another manager owns too", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("shared"), namespace };
    await admin.apply(maps, configMap(metadata, { both: "1", mine: "1" }), alice);
    const shared = await admin.apply<ConfigMap>(maps, configMap(metadata, { both: "1" }), bob);
    expect(ownersOf(shared)).toEqual({
      "alice Apply": ["f:data/f:both", "f:data/f:mine"],
      "bob Apply": ["f:data/f:both"],
    });
    const after = await admin.apply<ConfigMap>(maps, { apiVersion: "v1", kind: "ConfigMap", metadata }, alice);
    expect(after.data).toEqual({ both: "1" });
    expect(ownersOf(after)).toEqual({ "bob Apply": ["f:data/f:both"] });
  });

  it("notes the time of an applier who only shares what is there", async () => {
    const { admin, namespace, unique } = get();
    const wanted = configMap({ name: unique("time"), namespace }, { x: "1" });
    await admin.apply(maps, wanted, alice);
    const shared = await admin.apply<ConfigMap>(maps, wanted, bob);
    expect(entriesOf(shared).map((entry) => [entry.manager, typeof entry.time])).toEqual(
      expect.arrayContaining([
        ["alice", "string"],
        ["bob", "undefined"],
      ]),
    );
  });

  it("refuses an apply that carries managedFields", async () => {
    const { admin, namespace, unique } = get();
    const first = await admin.apply<ConfigMap>(
      maps,
      configMap({ name: unique("carry"), namespace }, { x: "1" }),
      alice,
    );
    const error = await refusal(admin.apply(maps, first, alice));
    expect(error).toMatchObject({ code: "BadRequest", status: 400 });
  });

  it("refuses an apply without a kind or of another version", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("kind"), namespace };
    const path = `/api/v1/namespaces/${namespace}/configmaps/${metadata.name}?fieldManager=alice`;
    const apply = (body: unknown) =>
      admin.request({ method: "PATCH", path, body, contentType: "application/apply-patch+yaml" });
    expect(await refusal(apply({ metadata, data: {} }))).toMatchObject({ status: 400 });
    expect(await refusal(apply({ apiVersion: "v2", kind: "ConfigMap", metadata }))).toMatchObject({ status: 400 });
  });

  it("wants to know who applies", async () => {
    const { admin, namespace, unique } = get();
    const name = unique("who");
    const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;
    const body = configMap({ name, namespace });
    const error = await refusal(
      admin.request({ method: "PATCH", path, body, contentType: "application/apply-patch+yaml" }),
    );
    expect(error).toMatchObject({ code: "Invalid", status: 422 });
    expect(error.causes).toMatchObject([{ field: "fieldManager", reason: "FieldValueRequired" }]);
  });

  it("refuses a field that the schema does not declare", async () => {
    const { admin, namespace, unique } = get();
    const wanted = { ...configMap({ name: unique("undeclared"), namespace }), junk: 1 };
    expect(await refusal(admin.apply(maps, wanted, alice))).toMatchObject({ status: 500 });
  });
}
