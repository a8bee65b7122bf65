import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject, listAt, objectAt, sameJson } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { type ApplyResult, serverSideApply } from "./server-side-apply.ts";
import { trackUpdate } from "./track-update.ts";

const integer = { type: "integer" };
const schema: StructuralSchema = {
  type: "object",
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: {
      type: "object",
      properties: {
        name: { type: "string" },
        uid: { type: "string" },
        labels: { type: "object", additionalProperties: { type: "string" } },
        managedFields: { type: "array", "x-kubernetes-list-type": "atomic", items: { type: "object" } },
      },
    },
    spec: {
      type: "object",
      properties: {
        count: integer,
        inner: { type: "object", properties: { a: integer, b: integer } },
        map: { type: "object", additionalProperties: integer },
        named: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              size: integer,
              tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
            },
          },
        },
        whole: { type: "array", items: integer },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
  },
};

const annotated: StructuralSchema = {
  ...schema,
  properties: {
    ...schema.properties,
    metadata: {
      type: "object",
      properties: {
        name: { type: "string" },
        annotations: { type: "object", additionalProperties: { type: "string" } },
      },
    },
  },
};

const name = fc.constantFrom("a", "b", "c", "d");
const small = fc.integer({ min: 0, max: 2 });
const tags = fc.uniqueArray(name, { maxLength: 3, minLength: 1 });
const item = fc.record({ name, size: small, tags }, { requiredKeys: ["name"] });
const spec: fc.Arbitrary<JsonObject> = fc.record(
  {
    count: small,
    inner: fc.record({ a: small, b: small }, { requiredKeys: ["a"] }),
    map: fc.dictionary(name, small, { minKeys: 1 }),
    named: fc.uniqueArray(item, { selector: (one) => one.name, minLength: 1, maxLength: 4 }),
    whole: fc.array(small, { minLength: 1, maxLength: 2 }),
    free: fc.dictionary(
      name,
      fc.oneof(small, fc.array(small, { maxLength: 2 }), fc.dictionary(name, small, { minKeys: 1 })),
      { minKeys: 1 },
    ),
  },
  { requiredKeys: [] },
);

function object(wanted: JsonObject): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Thing",
    metadata: { name: "x" },
    ...(Object.keys(wanted).length === 0 ? {} : { spec: wanted }),
  };
}

function apply(
  live: JsonObject | undefined,
  manager: string,
  wanted: JsonObject,
  force = false,
  nowIso = "2026-01-01T00:00:00Z",
): ApplyResult {
  return serverSideApply({ schema, live, applied: object(wanted), manager, force, apiVersion: "v1", nowIso });
}

function applied(...call: Parameters<typeof apply>): JsonObject {
  const result = apply(...call);
  if (!result.ok) throw new Error(`conflict: ${JSON.stringify(result)}`);
  return result.object;
}

function entryOf(value: JsonObject, manager: string): Json | undefined {
  return listAt(objectAt(value, "metadata"), "managedFields").find(
    (entry) => isJsonObject(entry) && entry.manager === manager,
  );
}

/** The object without who owns what. */
function content(value: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = objectAt(value, "metadata");
  return { ...value, metadata };
}

describe("server-side apply", () => {
  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(spec, spec, (before, wanted) => {
        const live = applied(undefined, "bob", before);
        const once = applied(live, "alice", wanted, true);
        expect(apply(once, "alice", wanted, false, "2027-01-01T00:00:00Z")).toEqual({ ok: true, object: once });
      }),
    );
  });

  it("holds what was applied last", () => {
    fc.assert(
      fc.property(spec, spec, (before, wanted) => {
        const after = applied(applied(undefined, "alice", before), "alice", wanted);
        expect(sameJson(content(after), content(object(wanted)))).toBe(true);
      }),
    );
  });

  it("takes away exactly what its only owner applied, when nothing is applied any more", () => {
    fc.assert(
      fc.property(spec, (wanted) => {
        const after = applied(applied(undefined, "alice", wanted), "alice", {});
        expect(after).toEqual(object({}));
      }),
    );
  });

  it("leaves all that others own when one of two leaves", () => {
    fc.assert(
      fc.property(spec, spec, (mine, theirs) => {
        const both = applied(applied(undefined, "bob", theirs), "alice", mine, true);
        const after = applied(both, "alice", {});
        expect(entryOf(after, "bob")).toEqual(entryOf(both, "bob"));
        expect(entryOf(after, "alice")).toBeUndefined();
        expect(apply(after, "bob", theirs).ok).toBe(true);
      }),
    );
  });

  it("meets no conflict between appliers of different fields", () => {
    fc.assert(
      fc.property(spec, (wanted) => {
        const { count, inner, map, ...rest } = wanted;
        const mine = Object.fromEntries(
          Object.entries({ count, inner, map }).filter(([, value]) => value !== undefined),
        );
        const live = applied(undefined, "bob", rest);
        expect(apply(live, "alice", mine).ok).toBe(true);
      }),
    );
  });

  it("never needs force where both want the same", () => {
    fc.assert(
      fc.property(spec, (wanted) => {
        expect(apply(applied(undefined, "bob", wanted), "alice", wanted).ok).toBe(true);
      }),
    );
  });

  it("names every field that another would lose", () => {
    const live = applied(undefined, "bob", { count: 1, named: [{ name: "a", size: 1 }] });
    expect(apply(live, "alice", { count: 2, named: [{ name: "a", size: 2 }] })).toEqual({
      ok: false,
      conflicts: [
        { reason: "FieldManagerConflict", field: ".spec.count", message: 'conflict with "bob"' },
        { reason: "FieldManagerConflict", field: '.spec.named[name="a"].size', message: 'conflict with "bob"' },
      ],
    });
  });

  it("lets an update take fields without asking, and never own what it left alone", () => {
    fc.assert(
      fc.property(spec, spec, (before, after) => {
        const live = applied(undefined, "alice", before);
        const updated = { ...object(after), metadata: { ...objectAt(live, "metadata"), uid: "u" } };
        const old = { ...live, metadata: { ...objectAt(live, "metadata"), uid: "u" } };
        const tracked = trackUpdate({
          schema,
          old,
          updated,
          manager: "carol",
          operation: "Update",
          apiVersion: "v1",
          nowIso: "2026-02-01T00:00:00Z",
        });
        expect(sameJson(content(tracked), content(updated))).toBe(true);
        expect(sameJson(tracked, old)).toBe(sameJson(before, after));
      }),
    );
  });

  it("lets kubectl take over what it applied from its own side", () => {
    const last = { ...object({ count: 1, inner: { a: 1 } }) };
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify(last) };
    const made = { ...object({ count: 1, inner: { a: 2 } }), metadata: { name: "x", annotations } };
    const live = trackUpdate({
      schema: annotated,
      old: undefined,
      updated: made,
      manager: "kubectl-client-side-apply",
      operation: "Update",
      apiVersion: "v1",
      nowIso: "2026-01-01T00:00:00Z",
    });
    const take = (wanted: JsonObject) =>
      serverSideApply({
        schema: annotated,
        live,
        applied: object(wanted),
        manager: "kubectl",
        force: false,
        apiVersion: "v1",
        nowIso: "2026-01-01T00:00:00Z",
      });
    const taken = take({ count: 2 });
    expect(taken.ok && objectAt(taken.object, "spec").count).toBe(2);
    expect(taken.ok && objectAt(objectAt(taken.object, "metadata"), "annotations")).toEqual({
      "kubectl.kubernetes.io/last-applied-configuration":
        '{"apiVersion":"v1","kind":"Thing","metadata":{"name":"x"},"spec":{"count":2}}\n',
    });
    expect(take({ count: 2, inner: { a: 3 } })).toMatchObject({ ok: false, conflicts: [{ field: ".spec.inner.a" }] });
  });

  it("drops the claims of managers whose version is gone", () => {
    const live = applied(undefined, "bob", { count: 1 });
    const result = serverSideApply({
      schema,
      live: { ...live, apiVersion: "v2" },
      applied: { ...object({ count: 2 }), apiVersion: "v2" },
      manager: "alice",
      force: false,
      apiVersion: "v2",
      nowIso: "2026-01-01T00:00:00Z",
      atVersion: (at, apiVersion) => (apiVersion === "v2" ? { object: at, schema } : undefined),
    });
    expect(result.ok && objectAt(result.object, "metadata").managedFields).toMatchObject([{ manager: "alice" }]);
  });
});
