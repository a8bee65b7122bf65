import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  difference,
  type FieldPath,
  type FieldSet,
  fieldSetOf,
  fromFieldsV1,
  intersection,
  isEmptySet,
  pathsOf,
  recursiveDifference,
  toFieldsV1,
  union,
} from "./field-set.ts";
import { printPath } from "./path-element.ts";

const element = fc.oneof(
  fc.constantFrom(
    "f:a",
    "f:b",
    "f:a.b",
    "f:",
    "f:.",
    'k:{"name":"x"}',
    'k:{"port":80,"protocol":"TCP"}',
    'v:"x"',
    "v:1",
  ),
  fc.string().map((name) => `f:${name}`),
);
const paths: fc.Arbitrary<readonly FieldPath[]> = fc.array(fc.array(element, { minLength: 1, maxLength: 4 }), {
  maxLength: 8,
});
const set = paths.map(fieldSetOf);

function sameSet(a: FieldSet, b: FieldSet): boolean {
  return isEmptySet(difference(a, b)) && isEmptySet(difference(b, a));
}

describe("a set of fields", () => {
  it("survives being written as FieldsV1 and read again", () => {
    fc.assert(
      fc.property(set, (fields) => sameSet(fromFieldsV1(JSON.parse(JSON.stringify(toFieldsV1(fields)))), fields)),
    );
  });

  it("holds exactly the paths that were put in", () => {
    fc.assert(
      fc.property(paths, (list) => {
        const unique = new Set(list.map((path) => JSON.stringify(path)));
        expect(new Set(pathsOf(fieldSetOf(list)).map((path) => JSON.stringify(path)))).toEqual(unique);
      }),
    );
  });

  it("obeys the laws of sets", () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(sameSet(union(a, b), union(b, a))).toBe(true);
        expect(sameSet(intersection(a, b), difference(a, difference(a, b)))).toBe(true);
        expect(isEmptySet(intersection(difference(a, b), b))).toBe(true);
        expect(sameSet(union(difference(a, b), intersection(a, b)), a)).toBe(true);
      }),
    );
  });

  it("loses all that lies below a path when it is taken away with it", () => {
    const fields = fieldSetOf([["f:spec", "f:a"], ["f:spec", "f:b", "f:c"], ["f:other"]]);
    expect(pathsOf(recursiveDifference(fields, fieldSetOf([["f:spec"]])))).toEqual([["f:other"]]);
  });

  it("writes a field that is owned with something inside it with a dot", () => {
    expect(toFieldsV1(fieldSetOf([["f:a"], ["f:a", "f:b"]]))).toEqual({ "f:a": { ".": {}, "f:b": {} } });
  });

  it("prints paths as conflicts show them", () => {
    expect(printPath(["f:spec", "f:ports", 'k:{"port":80,"protocol":"TCP"}', "f:name"])).toBe(
      '.spec.ports[port=80,protocol="TCP"].name',
    );
    expect(printPath(["f:metadata", "f:finalizers", 'v:"x"'])).toBe('.metadata.finalizers[="x"]');
  });
});
