import { expect, test } from "vitest";
import { jobsOf, simulatedJobs } from "../../src/jobs/simulated.ts";
import { isInShare } from "../../src/sim/run/seed-share.ts";

const seeds = Array.from({ length: 1_000 }, (_, seed) => seed);

test("no seed is in the share of two jobs, and every job has seeds", () => {
  expect(simulatedJobs.length).toBeGreaterThan(1);
  const twice = seeds.filter((seed) => simulatedJobs.filter(({ share }) => isInShare(seed, share)).length > 1);
  expect(twice).toEqual([]);
  for (const { share } of simulatedJobs) expect(seeds.some((seed) => isInShare(seed, share))).toBe(true);
});

test("a seed keeps its jobs: seeds that people wrote down still mean the same worlds", () => {
  const names = seeds.slice(0, 16).map((seed) =>
    jobsOf(seed)
      .map(({ name }) => name)
      .join("+"),
  );
  const eight = [
    "specimen",
    "specimen",
    "specimen",
    "specimen+topology",
    "specimen",
    "api-endpoint",
    "specimen",
    "specimen+topology",
  ];
  expect(names).toEqual([...eight, ...eight]);
});
