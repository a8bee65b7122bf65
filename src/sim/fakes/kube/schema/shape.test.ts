import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyDefaults } from "./default.ts";
import { isJsonObject, type JsonObject, sameJson } from "./json-value.ts";
import { prune } from "./prune.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validateSchema } from "./validate.ts";

const schema: StructuralSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        a: { type: "integer", default: 1 },
        b: { type: "object", default: {}, properties: { c: { type: "string", default: "x" } } },
        list: { type: "array", items: { type: "object", properties: { a: { type: "integer", default: 2 } } } },
        map: { type: "object", additionalProperties: { type: "integer" } },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
  },
};

const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<null | string | number | boolean>;
const key = fc.constantFrom("spec", "a", "b", "c", "list", "map", "free", "junk");
const objects: fc.Arbitrary<JsonObject> = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, anything, fc.array(tie("value"), { maxLength: 3 }), tie("object")),
  object: fc.dictionary(key, tie("value"), { maxKeys: 5 }),
})).object as fc.Arbitrary<JsonObject>;

describe("shaping by schema", () => {
  it("prunes in one go", () => {
    fc.assert(
      fc.property(objects, (object) => {
        const once = prune(schema, object);
        const twice = prune(schema, once.value);
        expect(twice.value).toEqual(once.value);
        expect(twice.unknownFields).toEqual([]);
      }),
    );
  });

  it("names what it prunes", () => {
    const { value, unknownFields } = prune(schema, {
      kind: "X",
      junk: 1,
      spec: { list: [{ a: 1 }, { junk: {} }], free: { junk: 1 } },
    });
    expect(value).toEqual({ kind: "X", spec: { list: [{ a: 1 }, {}], free: { junk: 1 } } });
    expect(unknownFields).toEqual(["junk", "spec.list[1].junk"]);
  });

  it("fills in defaults in one go", () => {
    fc.assert(
      fc.property(objects, (object) => {
        const once = applyDefaults(schema, object);
        expect(applyDefaults(schema, once)).toEqual(once);
      }),
    );
  });

  it("never changes a value that is there", () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), (a, c) => {
        const filled = applyDefaults(schema, { spec: { a, b: { c } } });
        expect(filled).toEqual({ spec: { a, b: { c } } });
      }),
    );
  });

  it("has nothing to say about what did not change, however wrong it is, as far as it knows the fields", () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean());
    const inner = {
      a: leaf,
      b: fc.record({ c: leaf }),
      list: fc.array(fc.record({ a: leaf })),
      map: fc.dictionary(key, leaf),
    };
    const known = fc.record({ spec: fc.record(inner, { requiredKeys: [] }) });
    fc.assert(fc.property(known, (object) => validateSchema(schema, object, "", object).length === 0));
    const strange = { spec: { a: 1, free: { strange: "x" }, map: { wrong: "text" } } };
    expect(validateSchema(schema, strange, "", strange)).toEqual([]);
    const wrong = { spec: { list: { strange: "x" } } };
    expect(validateSchema(schema, wrong, "", wrong).map(({ field }) => field)).toEqual(["spec.list"]);
  });

  it("refuses what has a wrong type anywhere, whatever surrounds it", () => {
    fc.assert(
      fc.property(objects, (object) => {
        const spec = isJsonObject(object.spec) ? object.spec : {};
        const problems = validateSchema(schema, { ...object, spec: { ...spec, a: "text" } });
        expect(problems.some(({ field }) => field === "spec.a")).toBe(true);
      }),
    );
  });

  it("keeps an object equal to itself whatever the order of its fields", () => {
    fc.assert(fc.property(objects, (object) => sameJson(object, Object.fromEntries(Object.entries(object).reverse()))));
  });
});
