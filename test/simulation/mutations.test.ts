import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/bin/sim-runtime.ts";
import { simulatedJobs } from "../../src/jobs/simulated.ts";
import { allCheckers } from "../../src/sim/checkers/all-checkers.ts";
import { jobsOfSeed } from "../../src/sim/run/jobs-of-seed.ts";
import type { JobWorld } from "../../src/sim/run/sim-job.ts";
import type { Violation } from "../../src/sim/run/world.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { describeLab, slowSuites } from "../lab.ts";
import type { Mutation } from "./mutations/mutation.ts";
import { mutations } from "./mutations.ts";

/** A bug that needs more worlds than this has no seed worth keeping: the world is made likelier, or the bug is shown by a test of its own. */
const maxSeeds = 300;

/**
 * The seed that caught it last time comes first; only when it no longer does, the search begins anew. A job's own bug cannot show where
 * the job does not live.
 */
function* seedsFor({ caughtAt, endpoint, gateway }: Mutation): Generator<number> {
  yield caughtAt;
  const job = endpoint !== undefined ? "api-endpoint" : gateway === undefined ? undefined : "gateway";
  const isOfJob = (seed: number) => jobsOfSeed(seed, simulatedJobs).some(({ name }) => name === job);
  for (let seed = 1; seed <= maxSeeds; seed += 1) if (job === undefined || isOfJob(seed)) yield seed;
}

function isCaught({ checker, sees = /./ }: Mutation, violation: Violation | undefined): boolean {
  return violation?.checker === checker && sees.test(violation.how);
}

async function findsIt(mutation: Mutation): Promise<void> {
  const others = new Set<string>();
  for (const seed of seedsFor(mutation)) {
    const jobs = jobsOfSeed(seed, simulatedJobs, {
      specimen: mutation.specimen?.(),
      job: mutation.endpoint?.() ?? mutation.gateway?.(),
    });
    const { violation } = await simulate(seed, { jobs, overrides: mutation.overrides?.() ?? {} });
    // A simulation that itself breaks has found nothing.
    expect(violation?.checker === "simulation" ? violation.how : "").toBe("");
    if (isCaught(mutation, violation)) {
      if (seed !== mutation.caughtAt) console.log(`${mutation.name}: caughtAt ${seed}`);
      return;
    }
    if (violation !== undefined) others.add(violation.checker);
  }
  const seen = others.size === 0 ? "" : `; only ${[...others].join(", ")} said something`;
  expect.fail(`${mutation.checker} did not see it in ${maxSeeds} seeds: ${mutation.bug}${seen}`);
}

/** Always one for each checker, so that none is blind; the others are slow together, and a change seldom hides one of them alone. */
const first = [...new Map(mutations.toReversed().map((mutation) => [mutation.checker, mutation])).values()];
const others = mutations.filter((mutation) => !first.includes(mutation));
const tenMinutes = 600_000;

describe("deliberate bugs are found by the checker whose promise they break", () => {
  test.each(first)("$name: $bug", findsIt, 2 * tenMinutes);
});

describeLab("more deliberate bugs are found by the checker whose promise they break", slowSuites, () => {
  test.each(others)("$name: $bug", findsIt, 2 * tenMinutes);
});

describe("the list is complete", () => {
  // What a job promises may depend on how it is set up.
  const ofJobs = Array.from({ length: 100 }, (_, seed) =>
    jobsOfSeed(seed, simulatedJobs).flatMap(
      (job) => job.inWorld({ random: seededRandom(seed) } as unknown as JobWorld).checkers,
    ),
  ).flat();
  // What becomes true once faults end is checked by the run.
  const checkers = new Set([...allCheckers.map(({ name }) => name), ...ofJobs.map(({ name }) => name), "converges"]);

  test("every checker has a bug that it has to find", () => {
    expect(checkers.size).toBeGreaterThan(10);
    expect(new Set(mutations.map(({ checker }) => checker))).toEqual(checkers);
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  });

  test("the documented table names every law, every checker, and bugs that prove it", () => {
    const text = readFileSync(join(import.meta.dirname, "..", "..", "docs", "concepts", "simulation.md"), "utf8");
    const rows = text.split("\n").flatMap((line) => {
      const [, law = "", , checker = "", bugs = ""] = line.split("|").map((cell) => cell.trim());
      return /^`[a-z-]+`$/.test(checker) ? [{ law, checker: checker.replaceAll("`", ""), bugs: namesIn(bugs) }] : [];
    });
    expect(new Set(rows.map(({ checker }) => checker))).toEqual(checkers);
    for (const law of [1, 2, 3, 4, 5, 6, 7, 8]) expect(rows.map((row) => row.law[0])).toContain(String(law));
    for (const { checker, bugs } of rows) {
      const proven = mutations.filter((mutation) => mutation.checker === checker).map(({ name }) => name);
      expect([checker, bugs.length > 0, bugs.filter((name) => !proven.includes(name))]).toEqual([checker, true, []]);
    }
  });
});

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([a-z0-9-]+)`/g)].map(([, name = ""]) => name);
}
