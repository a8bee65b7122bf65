import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSubset, withoutUndefined } from "./json-subset.ts";

describe("what an object says already", () => {
  test("may stand among fields of others", () => {
    expect(isSubset({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 })).toBe(true);
    expect(isSubset({ a: { b: 1 } }, { a: { b: 2 } })).toBe(false);
    expect(isSubset({ a: 1 }, undefined)).toBe(false);
  });

  test("is not said by a list that holds more", () => {
    expect(isSubset({ list: [1, 2] }, { list: [1, 2] })).toBe(true);
    expect(isSubset({ list: [1] }, { list: [1, 2] })).toBe(false);
    expect(isSubset({ list: [{ a: 1 }] }, { list: [{ a: 1, b: 2 }] })).toBe(false);
  });

  test("includes that a field is absent", () => {
    expect(isSubset({ a: undefined }, {})).toBe(true);
    expect(isSubset({ a: undefined }, { a: 1 })).toBe(false);
  });

  test("is always true of the thing itself, and what is absent never reaches the wire", () => {
    fc.assert(
      fc.property(fc.object({ withNullPrototype: false }), (value) => {
        expect(isSubset(value, structuredClone(value))).toBe(true);
        expect(JSON.stringify(withoutUndefined(value))).toBe(JSON.stringify(JSON.parse(JSON.stringify(value))));
      }),
    );
  });
});
