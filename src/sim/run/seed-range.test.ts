import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexedPart, partOf } from "./seed-range.ts";

describe("seed ranges", () => {
  test("parts meet without gap or overlap, and differ by at most one seed", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(5_000), fc.integer({ min: 1, max: 200 }), (from, count, parts) => {
        const ranges = Array.from({ length: parts }, (_, index) => partOf({ from, count }, index, parts));
        let next = from;
        for (const range of ranges) {
          expect(range.from).toBe(next);
          next += range.count;
        }
        expect(next).toBe(from + count);
        const sizes = ranges.map((range) => range.count);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("a pod takes the part of its index", () => {
    const range = { from: 1, count: 100 };
    expect(indexedPart(range, { JOB_COMPLETION_INDEX: "3", SIM_PARTS: "10" })).toEqual({ from: 31, count: 10 });
  });

  test("without an index, or with one that makes no sense, there is no part", () => {
    const range = { from: 1, count: 100 };
    for (const environment of [
      {},
      { JOB_COMPLETION_INDEX: "1" },
      { JOB_COMPLETION_INDEX: "x", SIM_PARTS: "2" },
      { JOB_COMPLETION_INDEX: "2", SIM_PARTS: "2" },
      { JOB_COMPLETION_INDEX: "0", SIM_PARTS: "0" },
    ])
      expect(indexedPart(range, environment)).toBeUndefined();
  });
});
