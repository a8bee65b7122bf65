// Which jobs live in the world of a seed: the one whose seed it is, and the specimen, but for a job that is big enough alone.

import { type SpecimenOverrides, specimenJob } from "../specimen/specimen-job.ts";
import { jobOfSeed } from "./seed-shares.ts";
import type { SimJob } from "./sim-job.ts";
import type { SimulatedJob } from "./simulated-job.ts";

/** Deliberate bugs: one for the specimen, one for whichever job the seed has. */
export interface JobOverrides {
  readonly specimen?: SpecimenOverrides | undefined;
  readonly job?: unknown;
}

export function jobsOfSeed(
  seed: number,
  registered: readonly SimulatedJob[],
  overrides: JobOverrides = {},
): readonly SimJob[] {
  const simulated = jobOfSeed(seed, registered);
  const jobs = simulated === undefined ? [] : [simulated.jobOf(overrides.job)];
  return simulated?.isAlone === true ? jobs : [specimenJob(overrides.specimen), ...jobs];
}
