// Laws of the three patch languages.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { jsonPatch, PatchStepFailed } from "./json-patch.ts";
import { mergePatch } from "./merge-patch.ts";
import { strategicMergePatch } from "./strategic-merge-patch.ts";

const json: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
const object = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 3 }).filter((name) => name !== "__proto__"),
  json,
);

describe("merge patch", () => {
  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = mergePatch(target, patch);
        expect(mergePatch(once, patch)).toEqual(once);
      }),
    );
  });

  it("makes the patch itself of nothing, without its nulls", () => {
    expect(mergePatch(undefined, { a: { b: null, c: 1 } })).toEqual({ a: { c: 1 } });
  });
});

describe("JSON patch", () => {
  it("adds what can be tested and removed again", () => {
    fc.assert(
      fc.property(object, json, (document, value) => {
        const added = jsonPatch(document, [{ op: "add", path: "/new~1key", value }]);
        expect(jsonPatch(added, [{ op: "test", path: "/new~1key", value }])).toEqual(added);
        const { "new/key": _, ...without } = document;
        expect(jsonPatch(added, [{ op: "remove", path: "/new~1key" }])).toEqual(without);
      }),
    );
  });

  it("leaves the document alone when a step fails", () => {
    const document = { list: [1, 2] };
    expect(() =>
      jsonPatch(document, [
        { op: "add", path: "/list/-", value: 3 },
        { op: "remove", path: "/list/9" },
      ]),
    ).toThrow(PatchStepFailed);
    expect(document).toEqual({ list: [1, 2] });
  });
});

describe("strategic merge patch", () => {
  it("is a merge patch where the schema says nothing", () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        expect(strategicMergePatch(undefined, target, patch)).toEqual(mergePatch(target, patch));
      }),
    );
  });

  it("merges a keyed list the same way twice", () => {
    const schema = {
      properties: {
        list: { type: "array", "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "k" },
      },
    };
    const item = fc.record({ k: fc.integer({ min: 0, max: 4 }), v: fc.integer() });
    const list = fc.uniqueArray(item, { selector: ({ k }) => k });
    fc.assert(
      fc.property(list, list, (mine, patch) => {
        const once = strategicMergePatch(schema, { list: mine }, { list: patch });
        expect(strategicMergePatch(schema, once, { list: patch })).toEqual(once);
      }),
    );
  });
});
