import { describe, expect, it } from "vitest";
import { JsonPathSyntaxError, parseJsonPath, readJsonPath } from "./json-path.ts";

const object = {
  metadata: { annotations: { "a.b/c": "dotted" } },
  spec: { list: ["x", "y", "z"], nested: { deep: { name: "found" } } },
  status: {
    conditions: [
      { type: "Ready", status: "True", weight: 3 },
      { type: "Other", status: "False", weight: 7 },
      { status: "Unknown" },
    ],
  },
};

const read = (path: string) => readJsonPath(parseJsonPath(path), object);

describe("JSONPath of printer columns", () => {
  it.each([
    [".spec.nested.deep.name", ["found"]],
    ["spec.nested.deep.name", ["found"]],
    ["{.spec.nested.deep.name}", ["found"]],
    ["$.spec.nested['deep'].name", ["found"]],
    [".metadata.annotations.a\\.b/c", ["dotted"]],
    [".metadata.annotations['a.b/c']", ["dotted"]],
    [".spec.list[0]", ["x"]],
    [".spec.list[-1]", ["z"]],
    [".spec.list[1:]", ["y", "z"]],
    [".spec.list[0:2]", ["x", "y"]],
    [".spec.list[*]", ["x", "y", "z"]],
    [".spec.list[9]", []],
    ["..name", ["found"]],
    ['.status.conditions[?(@.type=="Ready")].status', ["True"]],
    [".status.conditions[?(@.type=='Other')].status", ["False"]],
    ['.status.conditions[?(@.type!="Ready")].status', ["False"]],
    [".status.conditions[?(@.weight>3)].type", ["Other"]],
    [".status.conditions[?(@.weight<=3)].type", ["Ready"]],
    [".status.conditions[?(@.type)].status", ["True", "False"]],
    [".status.absent.deeper", []],
    [".", [object]],
  ])("%s", (path, found) => {
    expect(read(path)).toEqual(found);
  });

  it.each([".spec[", ".spec.list[]", ".spec.list[?(type==1)]", ".spec.list[?(@.a==b)]", ".a b"])(
    "refuses %s",
    (path) => {
      expect(() => parseJsonPath(path)).toThrow(JsonPathSyntaxError);
    },
  );
});
