import { expect, test } from "vitest";
import { allJobs } from "../../src/jobs/all.ts";
import { allCommands } from "../../src/jobs/commands.ts";
import { allFeatures } from "../../src/jobs/features.ts";
import { simulatedJobs } from "../../src/jobs/simulated.ts";
import { jobsOfSeed } from "../../src/sim/run/jobs-of-seed.ts";
import { isInShare } from "../../src/sim/run/seed-share.ts";

const seeds = Array.from({ length: 1_000 }, (_, seed) => seed);

test("no seed is in the share of two jobs, and every job has seeds", () => {
  expect(simulatedJobs.length).toBeGreaterThan(1);
  const twice = seeds.filter((seed) => simulatedJobs.filter(({ share }) => isInShare(seed, share)).length > 1);
  expect(twice).toEqual([]);
  for (const { share } of simulatedJobs) expect(seeds.some((seed) => isInShare(seed, share))).toBe(true);
});

test("a seed keeps its jobs: seeds that people wrote down still mean the same worlds", () => {
  const seedsOf = (jobs: string) =>
    seeds.filter(
      (seed) =>
        jobsOfSeed(seed, simulatedJobs)
          .map(({ name }) => name)
          .join("+") === jobs,
    );
  expect(seedsOf("specimen+topology")).toEqual(seeds.filter((seed) => seed % 4 === 3));
  expect(seedsOf("api-endpoint")).toEqual(seeds.filter((seed) => seed % 8 === 5));
});

test("all four registries list the same jobs, in the same order", () => {
  const declared = allJobs.map(({ name }) => name);
  expect(allFeatures.map(({ job }) => job.name)).toEqual(declared);
  expect(allCommands.map(({ job }) => job)).toEqual(declared);
  expect(simulatedJobs.map(({ job }) => job)).toEqual(declared);
});
