// Which jobs live in the world of a seed. A new job adds a line.

import type { SimJobOf } from "../sim/run/sim-job.ts";
import { type SpecimenOverrides, specimenJob } from "../sim/specimen/specimen-job.ts";
import { apiEndpointJob, type EndpointOverrides } from "./api-endpoint/sim/api-endpoint-job.ts";
import { topologyJob } from "./topology/sim/topology-job.ts";

/** The specimen is in every world but those of a job that is big enough alone; the real jobs are in some, so that worlds stay small. */
export function jobsOf(
  seed: number,
  overrides: SpecimenOverrides = {},
  endpoint: EndpointOverrides = {},
): readonly SimJobOf[] {
  if (seed % 4 === 3) return [specimenJob(overrides), topologyJob()];
  return hasApiEndpoint(seed) ? [apiEndpointJob(endpoint)] : [specimenJob(overrides)];
}

export function hasApiEndpoint(seed: number): boolean {
  return seed % 8 === 5;
}
