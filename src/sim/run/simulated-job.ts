// A job as the registry of simulated jobs has it: what it does in its worlds, and what it brings to the demonstration.

import type { DemoPartOf } from "../demo/demo-part.ts";
import type { SimJob } from "./sim-job.ts";

export interface SimulatedJob<Overrides = unknown> {
  /** Of the job, as its declaration has it. */
  readonly job: string;
  /** Of the seeds, how many are its own (seed-shares.ts); absent: one. */
  readonly eighths?: number;
  /** Its worlds have no other job, not even the specimen. */
  readonly isAlone?: boolean;
  /** `overrides` puts a deliberate bug into it; absent: none. */
  readonly jobOf: (overrides?: Overrides) => SimJob;
  readonly demo?: DemoPartOf;
}

/** Types a job's overrides, then forgets them, so that the registry can hold many. */
export function simulatedJob<Overrides>(job: SimulatedJob<Overrides>): SimulatedJob {
  return job as SimulatedJob;
}
