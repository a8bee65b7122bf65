import { describe, expect, test } from "vitest";
import { crashFaults } from "../faults/crash-faults.ts";
import { addCoverage, count, declareActions, emptyCoverage } from "./coverage.ts";
import { enoughSeeds, renderFailure, renderSum, renderTrace } from "./render-simulation.ts";
import type { SeedResult } from "./run-seed.ts";

function sumOf(seeds: number, met: readonly string[]): string {
  const world = emptyCoverage();
  declareActions(world, ["publish", "never-done"]);
  count(world.actions, "publish");
  for (const action of met) for (const { name } of crashFaults) count(world.met, `${action}|${name}`);
  const coverage = emptyCoverage();
  addCoverage(coverage, world);
  return renderSum({ seeds, failed: [], steps: 1, virtualMs: 1, seconds: 1, coverage });
}

describe("the sum of many seeds", () => {
  test("finds every declared action that never met a crash, also one that was never executed", () => {
    const text = sumOf(enoughSeeds, ["publish"]);
    expect(text).toContain("finding: never-done never met crash-before-effect");
    expect(text).not.toContain("finding: publish");
    expect(text).toMatch(/\n {2}never-done +-/);
  });

  test("finds nothing when every one met every crash", () => {
    expect(sumOf(enoughSeeds, ["publish", "never-done"])).toContain("every action kind met every crash");
  });

  test("of few seeds says that they are too few, which is no finding", () => {
    const text = sumOf(10, ["publish"]);
    expect(text).toContain("too few seeds to say anything about coverage");
    expect(text).not.toContain("finding");
  });
});

describe("a trace", () => {
  const result: SeedResult = {
    seed: 8,
    steps: 60,
    virtualMs: 1,
    hash: "",
    faults: [],
    coverage: emptyCoverage(),
    violation: { checker: "quiet", how: "was not", step: 42, atMs: 1 },
    lines: ["first", "second", "third"],
  };

  test("that is cut says so, and how to see all of it", () => {
    const note = "(these are the last 2 lines; the whole trace: npm run sim -- --seed 8 --until 42 --full)";
    expect(renderFailure(result, [], 2)).toContain(`second\nthird\n\n${note}`);
    expect(renderTrace(result, [], 2)).toContain(note);
  });

  test("that is whole says nothing of the kind", () => {
    expect(renderTrace(result, [], 3)).toBe("first\nsecond\nthird");
  });
});
