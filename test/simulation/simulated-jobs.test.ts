import { expect, test } from "vitest";
import { allJobs } from "../../src/jobs/all.ts";
import { allCommands } from "../../src/jobs/commands.ts";
import { allFeatures } from "../../src/jobs/features.ts";
import { simulatedJobs } from "../../src/jobs/simulated.ts";
import { jobsOfSeed } from "../../src/sim/run/jobs-of-seed.ts";
import { jobOfSeed } from "../../src/sim/run/seed-shares.ts";

const seeds = Array.from({ length: 1_000 }, (_, seed) => seed);

test("every job has seeds of its own, and some seeds are no job's", () => {
  expect(simulatedJobs.length).toBeGreaterThan(1);
  const owners = new Set(seeds.map((seed) => jobOfSeed(seed, simulatedJobs)));
  expect(owners).toEqual(new Set([...simulatedJobs, undefined]));
});

test("a job that is added takes seeds that were nobody's, and none of another job", () => {
  const [first] = simulatedJobs;
  if (first === undefined) throw new Error("there is none");
  const added = { ...first, job: "added", eighths: 1 };
  const changed = seeds.filter((seed) => jobOfSeed(seed, simulatedJobs) !== jobOfSeed(seed, [...simulatedJobs, added]));
  expect(changed).toHaveLength(seeds.length / 8);
  expect(changed.map((seed) => jobOfSeed(seed, simulatedJobs)).filter((job) => job !== undefined)).toEqual([]);
});

test("more jobs than there are seeds for are refused in words", () => {
  const [first] = simulatedJobs;
  if (first === undefined) throw new Error("there is none");
  expect(() => jobOfSeed(0, [{ ...first, eighths: 8 }])).toThrow("ask for 8 eighths of the seeds and there are 7");
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
