import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { rateLimiter } from "./rate-limiter.ts";

const never = new AbortController().signal;

describe("the rate limit", () => {
  it("lets a burst through at once and then one at a time, in the order they came", async () => {
    const clock = new VirtualClock();
    const limiter = rateLimiter(clock, { qps: 10, burst: 3 });
    const served: { readonly call: number; readonly atMs: number }[] = [];
    for (let call = 0; call < 6; call += 1) {
      void limiter.take(never).then(() => served.push({ call, atMs: clock.monotonicMs() }));
    }
    await clock.advance(1_000);
    expect(served.map(({ call }) => call)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(served.map(({ atMs }) => atMs)).toEqual([0, 0, 0, 100, 200, 300]);
  });

  it("gives the turn of a caller who gave up to the next one", async () => {
    const clock = new VirtualClock();
    const limiter = rateLimiter(clock, { qps: 1, burst: 1 });
    await limiter.take(never);
    const impatient = new AbortController();
    const refused = limiter.take(impatient.signal).catch(String);
    const served: number[] = [];
    void limiter.take(never).then(() => served.push(clock.monotonicMs()));
    impatient.abort(new Error("enough"));
    expect(await refused).toBe("Error: enough");
    await clock.advance(1_000);
    expect(served).toEqual([1_000]);
  });

  it("refuses a caller who had given up before", async () => {
    const limiter = rateLimiter(new VirtualClock(), { qps: 1, burst: 1 });
    await expect(limiter.take(AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  });

  it("never lets through more than the burst and the rate allow, and serves everybody in the end", async () => {
    const arrivals = fc.array(fc.nat({ max: 3_000 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 5 }),
        arrivals,
        async (qps, burst, at) => {
          const clock = new VirtualClock();
          const limiter = rateLimiter(clock, { qps, burst });
          const served: number[] = [];
          for (const ms of at)
            clock.after(ms, () => void limiter.take(never).then(() => served.push(clock.monotonicMs())));
          await clock.advance(3_000 + (at.length / qps) * 1_000 + 1_000);
          expect(served).toHaveLength(at.length);
          for (const [index, from] of served.entries()) {
            for (const [later, to] of served.entries()) {
              if (later < index) continue;
              // Half a thousandth of a token for rounding.
              expect(later - index + 1).toBeLessThanOrEqual(burst + ((to - from) / 1_000) * qps + 5e-4);
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it("refuses a limit that lets nothing through", () => {
    expect(() => rateLimiter(new VirtualClock(), { qps: 0, burst: 1 })).toThrow("allow no request");
    expect(() => rateLimiter(new VirtualClock(), { qps: 1, burst: 0 })).toThrow("allow no request");
  });
});
