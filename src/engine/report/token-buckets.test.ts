import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { TokenBuckets } from "./token-buckets.ts";

describe("token buckets", () => {
  test("let a burst through, then as much as comes back", async () => {
    const clock = new VirtualClock();
    const buckets = new TokenBuckets({ clock, burst: 3, refillMs: 1_000, maxBuckets: 10 });
    const taken = (): number => Array.from({ length: 10 }, () => buckets.take("a")).filter(Boolean).length;
    expect(taken()).toBe(3);
    await clock.advance(2_000);
    expect(taken()).toBe(2);
    await clock.advance(3_600_000);
    expect(taken()).toBe(3);
  });

  test("are one per name", () => {
    const buckets = new TokenBuckets({ clock: new VirtualClock(), burst: 1, refillMs: 1_000, maxBuckets: 10 });
    expect([buckets.take("a"), buckets.take("a"), buckets.take("b")]).toEqual([true, false, true]);
  });

  test("forget the one that was not asked for longest", () => {
    const buckets = new TokenBuckets({ clock: new VirtualClock(), burst: 1, refillMs: 1_000, maxBuckets: 2 });
    expect([buckets.take("a"), buckets.take("b"), buckets.take("c")]).toEqual([true, true, true]);
    expect([buckets.take("b"), buckets.take("a")]).toEqual([false, true]);
  });
});
