import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sleep } from "../../src/engine/round/sleep.ts";
import { VirtualClock } from "./virtual-clock.ts";

describe("virtual clock", () => {
  test("runs timers in the order they fall due, ties in the order they were set", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 }), async (delays) => {
        const clock = new VirtualClock();
        const ran: number[] = [];
        delays.forEach((delay, index) => {
          clock.after(delay, () => ran.push(index));
        });
        await clock.advance(20);
        const due = delays.map((delay, index) => ({ delay, index })).toSorted((a, b) => a.delay - b.delay);
        expect(ran).toEqual(due.map(({ index }) => index));
      }),
    );
  });

  test("ends a loop in which time stands still, and says who asks for the timers", async () => {
    const clock = new VirtualClock({ settle: () => Promise.resolve() });
    function spin(): void {
      clock.after(0, spin);
    }
    spin();
    await expect(clock.advance(10)).rejects.toThrow(/time stands still.*\n[^]*spin/);
  });

  test("never runs a cancelled timer, nor one beyond the time it was told to reach", async () => {
    const clock = new VirtualClock();
    const ran: string[] = [];
    clock.after(10, () => ran.push("kept"));
    clock.after(10, () => ran.push("cancelled")).cancel();
    clock.after(11, () => ran.push("later"));
    await clock.advance(10);
    expect(ran).toEqual(["kept"]);
    expect(clock.pendingTimers).toBe(1);
  });

  test("lets promises settle between timers, so that a chain of sleeps takes the time it says", async () => {
    const clock = new VirtualClock();
    const wokeAt: number[] = [];
    void (async () => {
      for (let i = 0; i < 5; i += 1) {
        await sleep(clock, 100);
        wokeAt.push(clock.monotonicMs());
      }
    })();
    await clock.advance(500);
    expect(wokeAt).toEqual([100, 200, 300, 400, 500]);
  });

  test("stops at the moment the predicate holds", async () => {
    const clock = new VirtualClock();
    let fired = 0;
    for (const delay of [5, 10, 15]) clock.after(delay, () => (fired += 1));
    expect(await clock.runUntil(() => fired === 2, 1_000)).toBe(true);
    expect(clock.monotonicMs()).toBe(10);
    expect(await clock.runUntil(() => fired === 9, 1_000)).toBe(false);
    expect(clock.monotonicMs()).toBe(1_010);
  });

  test("skews wall time without touching monotonic time", async () => {
    const clock = new VirtualClock({ startMs: 1_000_000 });
    clock.setWallSkew(-5_000);
    await clock.advance(100);
    expect(clock.nowMs()).toBe(995_100);
    expect(clock.monotonicMs()).toBe(100);
  });

  test("holds timers back while paused and runs the overdue ones after resuming", async () => {
    const clock = new VirtualClock();
    const firedAt: number[] = [];
    clock.after(10, () => firedAt.push(clock.monotonicMs()));
    clock.pause();
    await clock.advance(60_000);
    expect(firedAt).toEqual([]);
    clock.resume();
    await clock.advance(0);
    expect(firedAt).toEqual([60_000]);
  });

  test("ends a sleep at once when its signal aborts", async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const slept = sleep(clock, 1_000, stop.signal);
    stop.abort();
    expect(await slept).toBe(false);
    expect(await sleep(clock, 1_000, stop.signal)).toBe(false);
    expect(clock.pendingTimers).toBe(0);
  });
});
