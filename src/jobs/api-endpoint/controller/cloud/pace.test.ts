import { expect, test } from "vitest";
import { floatingIpsEveryMs, lookUpEveryMs } from "./pace.ts";

test.each([
  ["the usual pace", 30, 120],
  ["a quick one", 4, 16],
  ["a slow one", 60, 120],
  ["one slower than that", 3_600, 3_600],
])(
  "floating IPs are asked for every fourth time, at least every two minutes, never more often than balancers: %s",
  (_, again, every) => {
    expect(floatingIpsEveryMs(again * 1_000)).toBe(every * 1_000);
  },
);

test("what selectors mean is asked for once an hour at rest, and every ten minutes otherwise", () => {
  expect([true, false].map((isAtRest) => lookUpEveryMs({ isAtRest }))).toEqual([3_600_000, 600_000]);
});
