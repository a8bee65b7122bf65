// Reading objects and collections.

import { expect, it } from "vitest";
import { configMaps, namespaces } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import { listEverything } from "../../../src/engine/round/list-everything.ts";
import type { GetContext } from "../kube-target.ts";
import { configMap, refusal } from "./samples.ts";

const unserved: Kind = {
  group: "absent.example",
  version: "v1",
  kind: "Nothing",
  plural: "nothings",
  namespaced: true,
};
const unservedCore: Kind = { group: "", version: "v1", kind: "Nothing", plural: "nothings", namespaced: true };

export function readingBehaviours(get: GetContext): void {
  it("reads an object back as it was created, in any script", async () => {
    const { admin, namespace, unique } = get();
    const object = configMap({ name: unique("read"), namespace }, { greeting: "grüß dich ☂ 𝄞", escaped: '"\\\n' });
    const created = await admin.create(configMaps, object);
    const read = await admin.get(configMaps, object.metadata);
    expect(read).toEqual(created);
    expect(read).toMatchObject(object);
  });

  it("reads cluster-scoped objects without a namespace", async () => {
    const { admin, namespace } = get();
    const read = await admin.get(namespaces, { name: namespace });
    expect(read).toMatchObject({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  });

  it("says NotFound for an absent object and names it", async () => {
    const { admin, namespace, unique } = get();
    const name = unique("absent");
    const error = await refusal(admin.get(configMaps, { name, namespace }));
    expect(error).toMatchObject({ code: "NotFound", status: 404, statusReason: "NotFound" });
    expect(error.message).toContain(`get configmaps ${namespace}/${name}`);
  });

  it("says KindNotServed for a kind that no group serves", async () => {
    const { admin, namespace } = get();
    expect(await refusal(admin.list(unserved, { namespace }))).toMatchObject({ code: "KindNotServed", status: 404 });
    expect(await refusal(admin.get(unserved, { name: "x", namespace }))).toMatchObject({ code: "KindNotServed" });
  });

  it("says KindNotServed for an unknown kind of a known group", async () => {
    const { admin, namespace } = get();
    expect(await refusal(admin.list(unservedCore, { namespace }))).toMatchObject({ code: "KindNotServed" });
    expect(await refusal(admin.get(unservedCore, { name: "x", namespace }))).toMatchObject({ code: "KindNotServed" });
  });

  it("lists objects equal to those it reads one by one", async () => {
    const { admin, namespace, unique } = get();
    const label = unique("list");
    const names = ["a", "b", "c"].map((suffix) => `${label}-${suffix}`);
    for (const name of names) await admin.create(configMaps, configMap({ name, namespace, labels: { set: label } }));
    const list = await admin.list(configMaps, { namespace, labelSelector: `set=${label}` });
    const single = await Promise.all(names.map((name) => admin.get(configMaps, { name, namespace })));
    expect(list.items).toEqual(single);
    expect(list.resourceVersion).toMatch(/^\d+$/);
    expect(list.continueToken).toBeUndefined();
  });

  it("lists over all namespaces when none is named", async () => {
    const { admin, namespace, unique, cleanup } = get();
    const other = unique("contract-other");
    const label = unique("wide");
    cleanup(() => admin.delete(namespaces, { name: other }));
    await admin.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: other } });
    for (const home of [namespace, other]) {
      await admin.create(configMaps, configMap({ name: label, namespace: home, labels: { set: label } }));
    }
    const { items } = await admin.list(configMaps, { labelSelector: `set=${label}` });
    expect(items.map(({ metadata }) => metadata.namespace)).toEqual(expect.arrayContaining([namespace, other]));
  });

  it("hands out a collection in pages that hold every object once", async () => {
    const { admin, namespace, unique } = get();
    const label = unique("paged");
    const names = ["a", "b", "c", "d", "e"].map((suffix) => `${label}-${suffix}`);
    for (const name of names) await admin.create(configMaps, configMap({ name, namespace, labels: { set: label } }));
    const selection = { namespace, labelSelector: `set=${label}` };
    const first = await admin.list(configMaps, { ...selection, limit: 2 });
    expect(first.items.map(({ metadata }) => metadata.name)).toEqual(names.slice(0, 2));
    expect(first.continueToken).toBeDefined();
    const second = await admin.list(configMaps, { ...selection, limit: 2, continueToken: first.continueToken ?? "" });
    expect(second.items.map(({ metadata }) => metadata.name)).toEqual(names.slice(2, 4));
    expect(second.resourceVersion).toBe(first.resourceVersion);
    const all = await listEverything(admin, configMaps, { ...selection, limit: 2 });
    expect(all.map(({ metadata }) => metadata.name)).toEqual(names);
  });

  it("counts what remains after a page without selectors", async () => {
    const { admin, unique, cleanup } = get();
    const home = unique("contract-count");
    cleanup(() => admin.delete(namespaces, { name: home }));
    await admin.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: home } });
    for (const name of ["a", "b", "c"]) await admin.create(configMaps, configMap({ name, namespace: home }));
    const page = await admin.list(configMaps, { namespace: home, limit: 1 });
    expect(page.items).toHaveLength(1);
    // A busy server may have put objects of its own into the namespace.
    expect(page.remainingItemCount).toBeGreaterThanOrEqual(2);
  });

  it("refuses a continue token it did not make", async () => {
    const { admin, namespace } = get();
    const error = await refusal(admin.list(configMaps, { namespace, limit: 1, continueToken: "made-up" }));
    expect(error).toMatchObject({ code: "BadRequest", status: 400 });
  });

  it("lists from its cache when any version will do", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(configMaps, configMap({ name: unique("cached"), namespace }));
    const query = { namespace, resourceVersionMatch: "NotOlderThan" as const };
    const list = await admin.list(configMaps, { ...query, resourceVersion: metadata.resourceVersion ?? "" });
    expect(list.items.map((item) => item.metadata.name)).toContain(metadata.name);
  });

  it("refuses a selector it cannot read", async () => {
    const { admin, namespace } = get();
    expect(await refusal(admin.list(configMaps, { namespace, labelSelector: "a in (" }))).toMatchObject({
      code: "BadRequest",
    });
    expect(await refusal(admin.list(configMaps, { namespace, fieldSelector: "spec.nothing=1" }))).toMatchObject({
      code: "BadRequest",
    });
  });
}
