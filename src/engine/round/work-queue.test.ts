import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.ts";
import { seededRandom } from "../../sim/time/seeded-random.ts";
import { backoffMs } from "./backoff.ts";
import { sleep } from "./sleep.ts";
import { type Requeue, WorkQueue, type WorkQueueOptions } from "./work-queue.ts";

interface Run {
  readonly key: string;
  readonly startedMs: number;
  /** Position among all starts and adds, so that "started after" is exact within one millisecond. */
  readonly order: number;
  endedMs?: number;
  endOrder?: number;
}

/** A queue whose processor takes 10 ms and says "done", unless told otherwise. */
function bench(
  overrides: Partial<WorkQueueOptions> & { readonly nextOf?: (run: Run) => Requeue; readonly takesMs?: number } = {},
) {
  const { nextOf = () => "done" as const, takesMs = 10, ...options } = overrides;
  const clock = new VirtualClock();
  const runs: Run[] = [];
  let order = 0;
  const tick = (): number => (order += 1);
  const queue = new WorkQueue({
    clock,
    random: seededRandom(7),
    backoff: { baseMs: 100, maxMs: 1_000 },
    process: async (key, signal) => {
      const run: Run = { key, startedMs: clock.monotonicMs(), order: tick() };
      runs.push(run);
      await sleep(clock, takesMs, signal);
      run.endedMs = clock.monotonicMs();
      run.endOrder = tick();
      return nextOf(run);
    },
    ...options,
  });
  return { clock, queue, runs, tick, keys: () => runs.map(({ key }) => key) };
}

describe("work queue", () => {
  test("collects adds until it is started, each key once, in the order they came", async () => {
    const { clock, queue, keys } = bench();
    for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
    await clock.advance(1_000);
    expect(keys()).toEqual([]);
    expect(queue.depth).toBe(3);
    queue.start();
    await clock.advance(1_000);
    expect(keys()).toEqual(["a", "b", "c"]);
  });

  test("runs a key again when it was added while it ran, and never beside itself", async () => {
    const { clock, queue, runs } = bench({ concurrency: 4 });
    queue.start();
    queue.add("a");
    await clock.advance(5);
    queue.add("a");
    queue.add("a");
    await clock.advance(100);
    expect(runs.map(({ startedMs }) => startedMs)).toEqual([0, 10]);
  });

  test("lets no hot key starve another: it goes to the back", async () => {
    const { clock, queue, keys } = bench({ nextOf: ({ key }) => (key === "hot" ? { againAfterMs: 0 } : "done") });
    queue.start();
    for (const key of ["hot", "a", "b"]) queue.add(key);
    await clock.advance(45);
    expect(keys()).toEqual(["hot", "a", "b", "hot", "hot"]);
  });

  test("backs off a failing key further each time, and begins small again after a success", async () => {
    let failures = 0;
    const { clock, queue, runs } = bench({ takesMs: 0, nextOf: () => ((failures += 1) === 4 ? "done" : "retry") });
    queue.start();
    queue.add("a");
    await clock.advance(3_000);
    const starts = runs.map(({ startedMs }) => startedMs);
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(gaps).toHaveLength(3);
    gaps.forEach((gap, index) => {
      expect(gap).toBeGreaterThanOrEqual(50 * 2 ** index);
      expect(gap).toBeLessThanOrEqual(100 * 2 ** index);
    });
    expect(queue.failuresOf("a")).toBe(0);
  });

  test("holds up no neighbour while one key backs off, and a processor that throws is just a failure", async () => {
    const seen: unknown[] = [];
    const { clock, queue, keys } = bench({
      observer: { threw: (key, error) => seen.push(key, error) },
      nextOf: ({ key }) => {
        if (key === "bad") throw new Error("boom");
        return "done";
      },
    });
    queue.start();
    queue.add("bad");
    await clock.advance(20);
    queue.add("good");
    await clock.advance(20);
    expect(keys()).toEqual(["bad", "good"]);
    expect(seen).toEqual(["bad", new Error("boom")]);
    expect(queue.failuresOf("bad")).toBe(1);
  });

  test("keeps the earliest of several delays, and an immediate add calls them off", async () => {
    const { clock, queue, runs } = bench();
    queue.start();
    queue.addAfter("a", 500);
    queue.addAfter("a", 200);
    queue.addAfter("a", 900);
    queue.addAfter("b", 300);
    queue.add("b");
    await clock.advance(2_000);
    expect(runs.map(({ key, startedMs }) => [key, startedMs])).toEqual([
      ["b", 0],
      ["a", 200],
    ]);
  });

  test("takes no delay for a key whose turn comes anyway", async () => {
    const { clock, queue, runs } = bench();
    queue.add("waits");
    queue.addAfter("waits", 500);
    queue.start();
    await clock.advance(2_000);
    expect(runs.map(({ startedMs }) => startedMs)).toEqual([0]);
  });

  test("runs at once what is added during a back-off, for the world may have changed", async () => {
    let failed = false;
    const { clock, queue, runs } = bench({
      backoff: { baseMs: 60_000, maxMs: 60_000 },
      nextOf: () => {
        if (failed) return "done";
        failed = true;
        return "retry";
      },
    });
    queue.start();
    queue.add("a");
    await clock.advance(50);
    queue.add("a");
    await clock.advance(200_000);
    expect(runs.map(({ startedMs }) => startedMs)).toEqual([0, 50]);
  });

  test("does not spin on a failing key whose own writes add it again", async () => {
    const { clock, queue, runs } = bench({ nextOf: () => (queue.add("a"), "retry") });
    queue.start();
    queue.add("a");
    await clock.advance(1_000);
    expect(runs.length).toBeGreaterThan(5);
    expect(runs.length).toBeLessThan(20);
  });

  test("a run that takes long leaves its worker to the next key, and never runs beside itself", async () => {
    const { clock, queue, runs } = bench({ takesMs: 30_000 });
    queue.start();
    for (const key of ["a", "b", "c"]) queue.add(key);
    await clock.advance(500);
    queue.add("a");
    await clock.advance(40_000);
    expect(runs.map(({ key, startedMs }) => [key, startedMs])).toEqual([
      ["a", 0],
      ["b", 1_000],
      ["c", 2_000],
      ["a", 30_000],
    ]);
  });

  test("no more than eight that take long run beside each worker, and the next begins when one of them ends", async () => {
    const { clock, queue, runs } = bench({ takesMs: 60_000 });
    queue.start();
    for (let key = 0; key < 20; key += 1) queue.add(`k${key}`);
    await clock.advance(59_000);
    expect([queue.running, runs.length]).toEqual([9, 9]);
    await clock.advance(2_000);
    expect([queue.running, runs.length]).toEqual([9, 11]);
  });

  test("a stop waits for a run that has left its worker, too", async () => {
    const { clock, queue, runs } = bench({ takesMs: 30_000 });
    queue.start();
    queue.add("a");
    await clock.advance(5_000);
    expect(queue.running).toBe(1);
    const stopped = queue.stop({ deadlineMs: 60_000 });
    await clock.advance(60_000);
    expect(await stopped).toBe(true);
    expect(runs[0]?.endedMs).toBe(30_000);
    expect(clock.pendingTimers).toBe(0);
  });

  test("waits on stop for what runs and starts nothing new", async () => {
    const { clock, queue, keys, runs } = bench({ concurrency: 2 });
    queue.start();
    for (const key of ["a", "b", "c"]) queue.add(key);
    queue.addAfter("d", 5);
    await clock.advance(1);
    const stopped = queue.stop({ deadlineMs: 1_000 });
    queue.add("e");
    await clock.advance(1_000);
    expect(await stopped).toBe(true);
    expect(keys()).toEqual(["a", "b"]);
    expect(runs.every(({ endedMs }) => endedMs === 10)).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  test("leaves no timer behind when it stops", async () => {
    const { clock, queue } = bench();
    queue.start();
    queue.addAfter("a", 3_600_000);
    expect(await queue.stop({ deadlineMs: 1_000 })).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  test("does not even start a key that was picked in the very moment of the stop", async () => {
    const { clock, queue, keys } = bench();
    queue.start();
    queue.add("a");
    expect(await queue.stop({ deadlineMs: 10 })).toBe(true);
    await clock.advance(100);
    expect(keys()).toEqual([]);
  });

  test("tells work that outlasts the deadline to give up, and says that it did not drain", async () => {
    const { clock, queue, runs } = bench({ takesMs: 5_000 });
    queue.start();
    queue.add("a");
    await clock.advance(1);
    const stopped = queue.stop({ deadlineMs: 100 });
    await clock.advance(100);
    expect(await stopped).toBe(false);
    expect(runs[0]?.endedMs).toBe(101);
  });

  test("tells an observer how deep the queue is and how long keys waited in it", async () => {
    const depths: number[] = [];
    const waited: number[] = [];
    const { clock, queue } = bench({
      observer: { depthChanged: (depth) => depths.push(depth), started: (_key, queuedMs) => waited.push(queuedMs) },
    });
    queue.start();
    for (const key of ["a", "b", "c"]) queue.add(key);
    await clock.advance(100);
    expect(Math.max(...depths)).toBe(2);
    expect(depths.at(-1)).toBe(0);
    expect(waited).toEqual([0, 10, 20]);
  });
});

interface Step {
  readonly key: string;
  readonly waitMs: number;
  readonly delayMs: number;
}

const steps = fc.array(
  fc.record({
    key: fc.constantFrom("a", "b", "c", "d", "e"),
    waitMs: fc.integer({ min: 0, max: 40 }),
    delayMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200 })),
  }),
  { maxLength: 40 },
);

describe("whatever is added and whatever fails", () => {
  test("one key never runs beside itself, no more run at once than allowed, and every add is followed by a run", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), fc.integer(), async (script, concurrency, seed) => {
        const failing = seededRandom(seed);
        let budget = 20;
        const nextOf = (): Requeue => {
          if (failing.next() > 0.4 || (budget -= 1) < 0) return "done";
          return failing.next() < 0.5 ? "retry" : { againAfterMs: failing.next() * 50 };
        };
        const { clock, queue, runs, tick } = bench({ concurrency, nextOf });
        queue.start();
        const adds: { readonly key: string; readonly order: number }[] = [];
        for (const { key, waitMs, delayMs } of script) {
          await clock.advance(waitMs);
          adds.push({ key, order: tick() });
          if (delayMs === 0) queue.add(key);
          else queue.addAfter(key, delayMs);
        }
        await clock.advance(60_000);

        for (const { key, order } of adds) {
          expect(runs.some((run) => run.key === key && run.order > order)).toBe(true);
        }
        for (const run of runs) {
          const beside = runs.filter((other) => ranWhenStarted(other, run));
          expect(beside.length).toBeLessThan(concurrency);
          expect(beside.some(({ key }) => key === run.key)).toBe(false);
        }
        expect([queue.depth, queue.running, clock.pendingTimers]).toEqual([0, 0, 0]);
      }),
      { numRuns: 60 },
    );
  });

  test("a stop at any moment drains, and nothing starts after it", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 0, max: 100 }), async (script: readonly Step[], stopAtMs) => {
        const { clock, queue, runs, tick } = bench({ concurrency: 2, nextOf: () => "retry" });
        queue.start();
        for (const { key, delayMs } of script) queue.addAfter(key, delayMs);
        await clock.advance(stopAtMs);
        const stopOrder = tick();
        const stopped = queue.stop({ deadlineMs: 1_000 });
        await clock.advance(10_000);
        expect(await stopped).toBe(true);
        expect(runs.every((run) => run.order < stopOrder && run.endedMs !== undefined)).toBe(true);
        expect(clock.pendingTimers).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test("a back-off never exceeds its bound and never falls below half a step", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer(), (failures, seed) => {
        const wait = backoffMs({ baseMs: 100, maxMs: 30_000 }, failures, seededRandom(seed));
        expect(wait).toBeGreaterThanOrEqual(50);
        expect(wait).toBeLessThanOrEqual(30_000);
      }),
    );
  });
});

function ranWhenStarted(other: Run, run: Run): boolean {
  return other.order < run.order && (other.endOrder ?? Number.POSITIVE_INFINITY) > run.order;
}
