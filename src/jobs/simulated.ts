// Which jobs live in the world of a seed. A new job adds a line.

import type { DemoPartOf } from "../sim/demo/demo-part.ts";
import type { SimJobOf } from "../sim/run/sim-job.ts";
import { type SpecimenSeams, specimenJob } from "../sim/specimen/specimen-job.ts";
import { apiEndpointJob, type EndpointSeams } from "./api-endpoint/sim/api-endpoint-job.ts";
import { endpointDemo } from "./api-endpoint/sim/demo/endpoint-demo.ts";
import { topologyDemo } from "./topology/sim/demo/topology-demo.ts";
import { topologyJob } from "./topology/sim/topology-job.ts";

/** The specimen is in every world but those of a job that is big enough alone; the real jobs are in some, so that worlds stay small. */
export function jobsOf(seed: number, seams: SpecimenSeams = {}, endpoint: EndpointSeams = {}): readonly SimJobOf[] {
  if (seed % 4 === 3) return [specimenJob(seams), topologyJob()];
  return hasApiEndpoint(seed) ? [apiEndpointJob(endpoint)] : [specimenJob(seams)];
}

export function hasApiEndpoint(seed: number): boolean {
  return seed % 8 === 5;
}

/** What jobs bring to the demonstration. */
export const demoParts: readonly DemoPartOf[] = [topologyDemo, endpointDemo];
