import { describe, expect, test } from "vitest";
import { simulate } from "../../src/bin/sim-runtime.ts";
import { jobsOf } from "../../src/sim/all-jobs.ts";
import { type Mutation, mutations } from "./mutations.ts";

const maxSeeds = 2_000;

/** The seed that caught it last time comes first; only when it no longer does, the search begins anew. */
function* seedsFor({ caughtAt }: Mutation): Generator<number> {
  yield caughtAt;
  for (let seed = 1; seed <= maxSeeds; seed += 1) yield seed;
}

describe("deliberate bugs are found", () => {
  test.each(mutations)(
    "$name: $bug",
    async (mutation) => {
      for (const seed of seedsFor(mutation)) {
        const jobs = jobsOf(seed, mutation.specimen?.());
        const { violation } = await simulate(seed, { jobs, seams: mutation.seams?.() ?? {} });
        if (violation === undefined) continue;
        console.log(
          `${mutation.name}: caught at seed ${seed} by ${violation.checker}: ${violation.how.split("\n", 1)[0]}`,
        );
        // A checker saw it; a simulation that itself breaks has found nothing.
        expect(violation.checker).not.toBe("simulation");
        return;
      }
      expect.fail(`survived ${maxSeeds} seeds: ${mutation.bug}`);
    },
    1_200_000,
  );
});
