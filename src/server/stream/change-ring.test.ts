import { expect, test } from "vitest";
import { ChangeRing } from "./change-ring.ts";

function ringOf(count: number, limit = 3): ChangeRing {
  const ring = new ChangeRing(limit);
  for (let index = 0; index < count; index += 1) ring.push({ type: "manager" });
  return ring;
}

const numbers = (ring: ChangeRing, since: number) => ring.since(since)?.map(({ number }) => number);

test("tells everything after a number, in order", () => {
  const ring = ringOf(3);
  expect([ring.last, numbers(ring, 0), numbers(ring, 2), numbers(ring, 3)]).toEqual([3, [1, 2, 3], [3], []]);
});

test("knows when something is forgotten, and remembers at least as much as it should", () => {
  const ring = ringOf(100);
  expect(numbers(ring, 97)).toEqual([98, 99, 100]);
  expect(numbers(ring, 90)).toBeUndefined();
  expect(ring.since(93)?.length ?? 0).toBeLessThanOrEqual(6);
});

test.each([-1, 4, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("%d is none of its numbers", (number) => {
  expect(ringOf(3).since(number)).toBeUndefined();
});

test("wakes those who listen, until they stop", () => {
  const ring = ringOf(0);
  let woken = 0;
  const stop = ring.subscribe(() => (woken += 1));
  ring.push({ type: "faults" });
  stop();
  ring.push({ type: "faults" });
  expect(woken).toBe(1);
});
