// Which jobs live in the world of a seed. A new job adds a line.

import type { SimJobOf } from "./sim-job.ts";
import { type SpecimenSeams, specimenJob } from "./specimen/specimen-job.ts";
import { topologyJob } from "./topology/topology-job.ts";

/** The specimen is in every world, the real jobs in some, so that worlds stay small. */
export function jobsOf(seed: number, seams: SpecimenSeams = {}): readonly SimJobOf[] {
  return seed % 4 === 3 ? [specimenJob(seams), topologyJob()] : [specimenJob(seams)];
}
