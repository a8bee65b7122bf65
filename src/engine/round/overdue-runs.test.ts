import { expect, test } from "vitest";
import { OverdueRuns } from "./overdue-runs.ts";

function straggler() {
  let end: () => void = () => {};
  const work = new Promise<void>((resolve) => (end = resolve));
  return { work, end };
}

test("a key is overdue until the last of its stragglers has ended, later ones included", async () => {
  const runs = new OverdueRuns();
  const sizes: number[] = [];
  const [first, second, later] = [straggler(), straggler(), straggler()];
  runs.track("a", [first.work, second.work], () => sizes.push(runs.size));
  runs.track("b", [], () => sizes.push(runs.size));
  expect([runs.has("a"), runs.has("b"), runs.size]).toEqual([true, false, 1]);
  first.end();
  await first.work;
  runs.track("a", [later.work], () => sizes.push(runs.size));
  second.end();
  await second.work;
  expect(runs.has("a")).toBe(true);
  later.end();
  await runs.ended("a");
  expect([runs.has("a"), runs.size]).toEqual([false, 0]);
  expect(sizes).toEqual([1, 1, 0]);
});

test("waiting for a key that is not overdue takes no time", async () => {
  await expect(new OverdueRuns().ended("a")).resolves.toBeUndefined();
});
