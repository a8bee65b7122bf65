import { expect, test } from "vitest";
import { systemClock } from "./system-clock.ts";

test("a timer fires once and not before its time", async () => {
  const began = systemClock.monotonicMs();
  let fired = 0;
  await new Promise<void>((resolve) => {
    systemClock.after(15, () => {
      fired += 1;
      // Whatever fires a second time would do so before this one, which was armed later.
      keepAlive(25, resolve);
    });
    keepAlive(500, () => {});
  });
  expect(fired).toBe(1);
  expect(systemClock.monotonicMs() - began).toBeGreaterThanOrEqual(15);
});

test("a cancelled timer stays silent, and cancelling twice is harmless", async () => {
  let fired = false;
  const timer = systemClock.after(1, () => {
    fired = true;
  });
  timer.cancel();
  timer.cancel();
  await new Promise<void>((resolve) => keepAlive(20, resolve));
  expect(fired).toBe(false);
});

test("a timer of many days does not fire at once", async () => {
  let fired = false;
  const timer = systemClock.after(60 * 24 * 3600 * 1000, () => {
    fired = true;
  });
  await new Promise<void>((resolve) => keepAlive(20, resolve));
  timer.cancel();
  expect(fired).toBe(false);
});

test("tells the wall-clock time, and monotonic readings never go back", () => {
  expect(new Date(systemClock.nowMs()).getUTCFullYear()).toBeGreaterThan(2024);
  const readings = Array.from({ length: 1000 }, () => systemClock.monotonicMs());
  expect(readings).toEqual(readings.toSorted((a, b) => a - b));
});

function keepAlive(ms: number, callback: () => void): void {
  setTimeout(callback, ms);
}
