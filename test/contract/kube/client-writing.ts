// Creating, patching, applying and deleting, as far as a client's answers go.

import { expect, it } from "vitest";
import { configMaps, services } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import type { GetContext } from "../kube-target.ts";
import { type ConfigMap, configMap, refusal, type Service, service } from "./samples.ts";

const maps: Kind<ConfigMap> = configMaps;
const headless = services as Kind<Service>;

export function writingBehaviours(get: GetContext): void {
  it("says AlreadyExists, not Conflict, when a name is taken", async () => {
    const { admin, namespace, unique } = get();
    const object = configMap({ name: unique("taken"), namespace });
    await admin.create(maps, object);
    expect(await refusal(admin.create(maps, object))).toMatchObject({ code: "AlreadyExists", status: 409 });
  });

  it("says NotFound when the namespace is absent", async () => {
    const { admin, unique } = get();
    const error = await refusal(admin.create(maps, configMap({ name: "x", namespace: unique("absent") })));
    expect(error).toMatchObject({ code: "NotFound", status: 404 });
  });

  it("names the field of an invalid object", async () => {
    const { admin, namespace } = get();
    const error = await refusal(admin.create(maps, configMap({ name: "Not_A_Name", namespace })));
    expect(error).toMatchObject({ code: "Invalid", status: 422, statusReason: "Invalid" });
    expect(error.causes).toEqual([expect.objectContaining({ field: "metadata.name", reason: "FieldValueInvalid" })]);
  });

  it("refuses a body that is no such object", async () => {
    const { admin, namespace } = get();
    const wrong = { ...configMap({ name: "x", namespace }), kind: "Secret" };
    expect(await refusal(admin.create(maps, wrong))).toMatchObject({ code: "BadRequest", status: 400 });
  });

  it("makes up the end of a generated name", async () => {
    const { admin, namespace, unique } = get();
    const generateName = `${unique("gen")}-`;
    const { generateName: _, ...created } = (
      await admin.create(maps, configMap({ generateName, namespace } as ConfigMap["metadata"]))
    ).metadata;
    expect(created.name).toMatch(new RegExp(`^${generateName}[a-z0-9]{5}$`));
  });

  it("keeps nothing of a dry run", async () => {
    const { admin, namespace, unique } = get();
    const object = configMap({ name: unique("dry"), namespace });
    const answer = await admin.create(maps, object, { dryRun: true });
    expect(answer.metadata.uid).toBeDefined();
    expect(await refusal(admin.get(maps, object.metadata))).toMatchObject({ code: "NotFound" });
  });

  it("merges a merge patch and takes null for removal", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(
      maps,
      configMap({ name: unique("merge"), namespace }, { keep: "1", drop: "2" }),
    );
    const patched = await admin.patch(maps, metadata, { type: "merge", body: { data: { drop: null, add: "3" } } });
    expect(patched.data).toEqual({ keep: "1", add: "3" });
    expect(patched.metadata.resourceVersion).not.toBe(metadata.resourceVersion);
  });

  it("leaves the version alone when a patch changes nothing", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(maps, configMap({ name: unique("same"), namespace }, { keep: "1" }));
    const patched = await admin.patch(maps, metadata, { type: "merge", body: { data: { keep: "1" } } });
    expect(patched.metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it("says Conflict when a patch was made for an older version", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(maps, configMap({ name: unique("stale"), namespace }));
    await admin.patch(maps, metadata, { type: "merge", body: { data: { a: "1" } } });
    const body = { metadata: { resourceVersion: metadata.resourceVersion }, data: { a: "2" } };
    expect(await refusal(admin.patch(maps, metadata, { type: "merge", body }))).toMatchObject({
      code: "Conflict",
      status: 409,
      statusReason: "Conflict",
    });
  });

  it("runs JSON patch steps in order, all or none", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(maps, configMap({ name: unique("json"), namespace }, { a: "1" }));
    const patched = await admin.patch(maps, metadata, {
      type: "json",
      body: [
        { op: "test", path: "/data/a", value: "1" },
        { op: "move", from: "/data/a", path: "/data/b" },
        { op: "add", path: "/data/c", value: "3" },
      ],
    });
    expect(patched.data).toEqual({ b: "1", c: "3" });
    const error = await refusal(
      admin.patch(maps, metadata, {
        type: "json",
        body: [
          { op: "remove", path: "/data/c" },
          { op: "test", path: "/data/b", value: "other" },
        ],
      }),
    );
    expect(error.code).toBe("Invalid");
    expect((await admin.get(maps, metadata)).data).toEqual({ b: "1", c: "3" });
  });

  it("merges lists by key in a strategic patch", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(
      headless,
      service({ name: unique("strategic"), namespace }, [{ name: "a", port: 80 }]),
    );
    const body = { spec: { ports: [{ name: "b", port: 81 }] } };
    const patched = await admin.patch(headless, metadata, { type: "strategic", body });
    expect(patched.spec.ports.map(({ port }) => port).toSorted((a, b) => a - b)).toEqual([80, 81]);
  });

  it("writes status only through the status subresource, and nothing else with it", async () => {
    const { admin, namespace, unique } = get();
    const object = {
      ...service({ name: unique("status"), namespace }),
      spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
    };
    const { metadata } = await admin.create(headless, object);
    const body = {
      metadata: { labels: { sneaked: "in" } },
      status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
    };
    const plain = await admin.patch(headless, metadata, { type: "merge", body: { status: body.status } });
    expect(plain.status?.loadBalancer?.ingress).toBeUndefined();
    const patched = await admin.patch(headless, metadata, { type: "merge", body }, { subresource: "status" });
    expect(patched.status?.loadBalancer?.ingress).toMatchObject([{ ip: "192.0.2.1" }]);
    expect(patched.spec).toEqual(plain.spec);
  });

  it("applies our fields, keeps others', and drops a field we no longer apply", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("apply"), namespace };
    await admin.apply(maps, configMap(metadata, { ours: "1", also: "2" }), { fieldManager: "one" });
    await admin.apply(maps, configMap(metadata, { theirs: "3" }), { fieldManager: "two" });
    const applied = await admin.apply<ConfigMap>(maps, configMap(metadata, { ours: "4" }), { fieldManager: "one" });
    expect(applied.data).toEqual({ ours: "4", theirs: "3" });
  });

  it("refuses to apply a field that another manager holds, unless forced", async () => {
    const { admin, namespace, unique } = get();
    const metadata = { name: unique("contested"), namespace };
    await admin.apply(maps, configMap(metadata, { field: "one" }), { fieldManager: "one" });
    const error = await refusal(admin.apply(maps, configMap(metadata, { field: "two" }), { fieldManager: "two" }));
    expect(error).toMatchObject({ code: "Conflict", status: 409 });
    expect(error.causes).toEqual([expect.objectContaining({ reason: "FieldManagerConflict", field: ".data.field" })]);
    const forced = await admin.apply<ConfigMap>(maps, configMap(metadata, { field: "two" }), {
      fieldManager: "two",
      force: true,
    });
    expect(forced.data).toEqual({ field: "two" });
  });

  it("answers a delete with nothing once the object is gone", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(maps, configMap({ name: unique("gone"), namespace }));
    expect(await admin.delete(maps, metadata)).toBeUndefined();
    expect(await refusal(admin.get(maps, metadata))).toMatchObject({ code: "NotFound" });
    expect(await refusal(admin.delete(maps, metadata))).toMatchObject({ code: "NotFound" });
  });

  it("answers the delete of a Service with nothing, too", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(headless, service({ name: unique("gone"), namespace }));
    expect(await admin.delete(headless, metadata)).toBeUndefined();
    expect(await refusal(admin.get(headless, metadata))).toMatchObject({ code: "NotFound" });
  });

  it("answers a delete with the object while finalizers hold it", async () => {
    const { admin, namespace, unique } = get();
    const finalizers = ["contract.example/hold"];
    const { metadata } = await admin.create(maps, configMap({ name: unique("held"), namespace, finalizers }));
    const held = await admin.delete(maps, metadata);
    expect(held?.metadata).toMatchObject({ finalizers, deletionTimestamp: expect.any(String) });
    await admin.patch(maps, metadata, { type: "merge", body: { metadata: { finalizers: null } } });
    expect(await refusal(admin.get(maps, metadata))).toMatchObject({ code: "NotFound" });
  });

  it("deletes only the very object and version that the preconditions name", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(maps, configMap({ name: unique("guarded"), namespace }));
    const otherUid = "00000000-0000-0000-0000-000000000000";
    expect(await refusal(admin.delete(maps, metadata, { uid: otherUid }))).toMatchObject({ code: "Conflict" });
    expect(await refusal(admin.delete(maps, metadata, { resourceVersion: "1" }))).toMatchObject({ code: "Conflict" });
    const { uid = "", resourceVersion = "" } = metadata;
    expect(await admin.delete(maps, metadata, { uid, resourceVersion })).toBeUndefined();
  });

  it("deletes nothing in a dry run", async () => {
    const { admin, namespace, unique } = get();
    const { metadata } = await admin.create(maps, configMap({ name: unique("dry"), namespace }));
    await admin.delete(maps, metadata, { dryRun: true });
    expect((await admin.get(maps, metadata)).metadata).toEqual(metadata);
  });
}
