import { expect, test } from "vitest";
import { leaseTimingProblems } from "../../engine/lease/lease-timings.ts";
import { hasLastingHour } from "./lasting-hour.ts";
import { paceOf } from "./pace.ts";

const seeds = Array.from({ length: 200 }, (_, index) => index + 1);

test("the times of every world's Lease hold together, with faults and without", () => {
  for (const seed of seeds)
    for (const isHealed of [false, true])
      expect(leaseTimingProblems(paceOf(seed, [], () => isHealed).lease)).toEqual([]);
});

test("when faults have ended the Lease is renewed less often than before, also by managers that run already", () => {
  let isHealed = false;
  const { lease } = paceOf(2, [], () => isHealed);
  const before = lease.retryMs;
  isHealed = true;
  expect(lease.retryMs).toBeGreaterThan(2 * before);
});

test("a world that lives for an hour renews its Lease and its watches a few hundred times, not thousands of times", () => {
  const seed = seeds.find(hasLastingHour) ?? 0;
  const { lease, informers, isSlow } = paceOf(seed, [], () => false);
  expect(isSlow).toBe(true);
  expect(3_600_000 / lease.retryMs).toBeLessThanOrEqual(300);
  expect(3_600_000 / informers.watchLifetimeMs).toBeLessThanOrEqual(20);
});
