// Which seeds a job lives in. Seeds are dealt out in eighths, by what is left when a seed is divided by eight, in the order of the registry:
// a job that is added at its end takes the next ones, and every seed that people wrote down keeps its world. No two jobs share a seed, so
// that worlds stay small; the last eighth belongs to no job.

import { InvariantViolation } from "../../core/errors.ts";
import type { SimulatedJob } from "./simulated-job.ts";

/** In which they are dealt out. */
const remainders = [3, 7, 5, 1, 6, 2, 4];

/** The job whose seed it is. */
export function jobOfSeed(seed: number, registered: readonly SimulatedJob[]): SimulatedJob | undefined {
  const dealt = registered.flatMap((job) => Array.from({ length: job.eighths ?? 1 }, () => job));
  if (dealt.length > remainders.length)
    throw new InvariantViolation(
      `the simulated jobs ask for ${dealt.length} eighths of the seeds and there are ${remainders.length}: deal out sixteenths (seed-shares.ts)`,
    );
  return dealt[remainders.indexOf(seed % 8)];
}
