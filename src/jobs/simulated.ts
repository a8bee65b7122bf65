// The simulated jobs, each with its share of the seeds and its part of the demonstration.

import { isInShare } from "../sim/run/seed-share.ts";
import type { SimJob } from "../sim/run/sim-job.ts";
import type { SimulatedJob } from "../sim/run/simulated-job.ts";
import { type SpecimenOverrides, specimenJob } from "../sim/specimen/specimen-job.ts";
import { simulatedEndpoints } from "./api-endpoint/sim/simulated-endpoints.ts";
import { simulatedTopology } from "./topology/sim/simulated-topology.ts";

// biome-ignore format: a job a line
export const simulatedJobs: readonly SimulatedJob[] = [
  simulatedTopology,
  simulatedEndpoints,
];

/** Deliberate bugs: one for the specimen, one for whichever job the seed has. */
export interface JobOverrides {
  readonly specimen?: SpecimenOverrides | undefined;
  readonly job?: unknown;
}

/** The specimen is in every world but those of a job that is big enough alone. */
export function jobsOf(seed: number, overrides: JobOverrides = {}): readonly SimJob[] {
  const simulated = simulatedJobs.filter(({ share }) => isInShare(seed, share));
  const jobs = simulated.map(({ jobOf }) => jobOf(overrides.job));
  return simulated.some(({ share }) => share.alone === true) ? jobs : [specimenJob(overrides.specimen), ...jobs];
}

/** What jobs bring to the demonstration. */
export const demoParts = simulatedJobs.flatMap(({ demo }) => demo ?? []);
