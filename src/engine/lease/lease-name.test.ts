import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { present } from "../../core/present.ts";
import { leaseNameFor } from "./lease-name.ts";
import { defaultLeaseTimings, leaseTimingProblems, ownedMs } from "./lease-timings.ts";

describe("the name of a lease", () => {
  test("is plain for a manager of everything", () => {
    expect(leaseNameFor({})).toBe("mainstay-controller");
  });

  test("tells every combination of namespace and filter apart", () => {
    const scopes = [
      {},
      { namespace: "a" },
      { watchFilter: "a" },
      { namespace: "a-b", watchFilter: "c" },
      { namespace: "a", watchFilter: "b-c" },
      { watchFilter: "A" },
    ];
    expect(new Set(scopes.map(leaseNameFor)).size).toBe(scopes.length);
  });

  test("is one the API server takes", () => {
    fc.assert(
      fc.property(
        fc.option(fc.string(), { nil: undefined }),
        fc.option(fc.string(), { nil: undefined }),
        (namespace, watchFilter) => {
          const name = leaseNameFor({
            ...present({ namespace, watchFilter }),
          });
          expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
          expect(name.length).toBeLessThan(253);
        },
      ),
    );
  });
});

describe("lease timings", () => {
  test("by default hold together", () => {
    expect(leaseTimingProblems(defaultLeaseTimings)).toEqual([]);
    expect(ownedMs(defaultLeaseTimings)).toBeLessThan(defaultLeaseTimings.durationMs);
    expect(ownedMs(defaultLeaseTimings)).toBeGreaterThan(defaultLeaseTimings.renewDeadlineMs);
  });

  test("that do not are refused with every problem", () => {
    expect(leaseTimingProblems({ durationMs: 1_500, renewDeadlineMs: 2_000, retryMs: 2_000 })).toHaveLength(3);
  });
});
