// What an object of a CRD goes through: pruning, defaults, validation, and what of it is left alone.

import { beforeAll, describe, expect, it } from "vitest";
import { configMaps } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind } from "../../../src/apis/kube/kube-object.ts";
import type { GetContext } from "../kube-target.ts";
import { acceptedValues, refusedValues, valueSchema } from "./crd-value-cases.ts";
import { type Custom, installSpec, widget } from "./sample-crd.ts";
import { configMap, refusal } from "./samples.ts";

const integer = { type: "integer" };
const shaped = {
  type: "object",
  properties: {
    known: integer,
    filled: { type: "string", default: "x" },
    nullable: { type: "string", nullable: true, default: "x" },
    deep: { type: "object", default: {}, properties: { a: { type: "integer", default: 1 }, b: integer } },
    absent: { type: "object", properties: { a: { type: "integer", default: 1 } } },
    list: { type: "array", items: { type: "object", properties: { a: { type: "integer", default: 2 }, b: integer } } },
    map: {
      type: "object",
      additionalProperties: { type: "object", properties: { a: { type: "integer", default: 3 } } },
    },
    free: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { strict: { type: "object", properties: { a: integer } } },
    },
    embedded: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: { spec: { type: "object", properties: { a: integer } } },
    },
    any: { "x-kubernetes-preserve-unknown-fields": true },
  },
};

export function crdObjectBehaviours(get: GetContext): void {
  let widgets: Kind<Custom>;
  let values: Kind<Custom>;

  beforeAll(async () => {
    widgets = await installSpec(get(), shaped);
    values = await installSpec(get(), valueSchema);
  });

  const create = (kind: Kind<Custom>, spec: Readonly<Record<string, unknown>>) => {
    const { admin, namespace } = get();
    return admin.create(kind, widget(kind, { name: "case", namespace }, spec), { dryRun: true });
  };

  it("drops fields it does not know, at any depth", async () => {
    const { spec } = await create(widgets, { known: 1, junk: 1, list: [{ b: 1, junk: 1 }], map: { m: { junk: 1 } } });
    expect(spec).toMatchObject({ known: 1, list: [{ a: 2, b: 1 }], map: { m: { a: 3 } } });
    expect(JSON.stringify(spec)).not.toContain("junk");
  });

  it("takes finalizers without a domain, which built-in kinds refuse", async () => {
    const { admin, namespace } = get();
    const finalizers = ["cluster.cluster.x-k8s.io"];
    const made = await admin.create(widgets, widget(widgets, { name: "case", namespace, finalizers }, {}), {
      dryRun: true,
    });
    expect(made.metadata.finalizers).toEqual(finalizers);
    const builtIn = configMap({ name: "case", namespace, finalizers });
    const refused = await refusal(admin.create(configMaps, builtIn, { dryRun: true }));
    expect(refused.causes?.[0]?.message).toContain("neither a standard finalizer name nor is it fully qualified");
  });

  it("drops unknown fields beside spec and keeps metadata", async () => {
    const { admin, namespace } = get();
    const labels = { app: "x" };
    const object = { ...widget(widgets, { name: "case", namespace, labels }, {}), junk: 1 };
    const created = await admin.create(widgets, object, { dryRun: true });
    expect(created).not.toHaveProperty("junk");
    expect(created.metadata.labels).toEqual(labels);
  });

  it("keeps unknown fields where the schema says so, but not below declared ones", async () => {
    const { spec } = await create(widgets, {
      free: { junk: { deep: [1] }, strict: { a: 1, junk: 1 } },
      any: [{ x: 1 }],
    });
    expect(spec).toMatchObject({ free: { junk: { deep: [1] }, strict: { a: 1 } }, any: [{ x: 1 }] });
    expect(spec?.["free"]).toEqual({ junk: { deep: [1] }, strict: { a: 1 } });
  });

  it("keeps kind and metadata of an embedded resource, and prunes the rest of it", async () => {
    const embedded = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "x", labels: { a: "b" } },
      spec: { a: 1, junk: 1 },
    };
    const { spec } = await create(widgets, { embedded });
    expect(spec?.["embedded"]).toEqual({ ...embedded, spec: { a: 1 } });
    const error = await refusal(create(widgets, { embedded: { metadata: {} } }));
    expect(error.causes.map(({ field, reason }) => [field, reason])).toEqual([
      ["spec.embedded.apiVersion", "FieldValueRequired"],
      ["spec.embedded.kind", "FieldValueRequired"],
    ]);
  });

  it("fills in defaults where the object around them is there", async () => {
    expect((await create(widgets, {})).spec).toEqual({ filled: "x", nullable: "x", deep: { a: 1 } });
    expect((await create(widgets, { deep: { b: 2 }, absent: {}, list: [{}], map: { m: {} } })).spec).toEqual({
      filled: "x",
      nullable: "x",
      deep: { a: 1, b: 2 },
      absent: { a: 1 },
      list: [{ a: 2 }],
      map: { m: { a: 3 } },
    });
  });

  it("takes null for absent, unless null is allowed", async () => {
    const { spec } = await create(widgets, { known: null, filled: null, nullable: null, deep: null });
    expect(spec).toEqual({ filled: "x", nullable: null, deep: { a: 1 } });
  });

  it("fills in a default that came later when an old object is read", async () => {
    const { admin, namespace, unique } = get();
    const plain = await installSpec(get(), { type: "object", properties: { a: integer } });
    const { metadata } = await admin.create(plain, widget(plain, { name: unique("old"), namespace }, {}));
    const crdName = `widgets.${plain.group}`;
    const { crds, version, until } = await import("./sample-crd.ts");
    const later = version({ type: "object", properties: { a: { type: "integer", default: 9 } } });
    await admin.patch(crds, { name: crdName }, { type: "merge", body: { spec: { versions: [later] } } });
    await until(async () => (await admin.get(plain, metadata)).spec?.["a"] === 9);
    expect((await admin.get(plain, metadata)).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  describe("validation", () => {
    it.each(acceptedValues)("takes %s", async (_, value) => {
      expect((await create(values, value)).spec).toMatchObject(value);
    });

    it.each(refusedValues)("refuses %s", async (_, value, reason, field, message) => {
      const error = await refusal(create(values, value));
      expect(error).toMatchObject({ code: "Invalid", status: 422 });
      expect(error.causes).toContainEqual({ reason, field, message });
    });
  });

  it("reports every problem at once", async () => {
    const error = await refusal(create(values, { whole: "x", low: 1, word: "c" }));
    expect(error.causes.map(({ field }) => field).sort()).toEqual(["spec.low", "spec.whole", "spec.word"]);
  });
}
