// Which jobs live in the world of a seed. A new job adds a line with its share of the seeds.

import type { DemoPartOf } from "../sim/demo/demo-part.ts";
import { isInShare, type SeedShare } from "../sim/run/seed-share.ts";
import type { SimJob } from "../sim/run/sim-job.ts";
import { type SpecimenOverrides, specimenJob } from "../sim/specimen/specimen-job.ts";
import { apiEndpointJob, type EndpointOverrides } from "./api-endpoint/sim/api-endpoint-job.ts";
import { endpointDemo } from "./api-endpoint/sim/demo/endpoint-demo.ts";
import { topologyDemo } from "./topology/sim/demo/topology-demo.ts";
import { topologyJob } from "./topology/sim/topology-job.ts";

/** Deliberate bugs, by the job that they are put into. */
export interface JobOverrides {
  readonly specimen?: SpecimenOverrides | undefined;
  readonly endpoint?: EndpointOverrides | undefined;
}

interface SimulatedJob {
  readonly share: SeedShare;
  readonly jobOf: (overrides: JobOverrides) => SimJob;
}

export const simulatedJobs: readonly SimulatedJob[] = [
  { share: { every: 4, at: 3 }, jobOf: () => topologyJob() },
  { share: { every: 8, at: 5, alone: true }, jobOf: ({ endpoint }) => apiEndpointJob(endpoint) },
];

/** The specimen is in every world but those of a job that is big enough alone. */
export function jobsOf(seed: number, overrides: JobOverrides = {}): readonly SimJob[] {
  const simulated = simulatedJobs.filter(({ share }) => isInShare(seed, share));
  const jobs = simulated.map(({ jobOf }) => jobOf(overrides));
  return simulated.some(({ share }) => share.alone === true) ? jobs : [specimenJob(overrides.specimen), ...jobs];
}

/** What jobs bring to the demonstration. */
export const demoParts: readonly DemoPartOf[] = [topologyDemo, endpointDemo];
