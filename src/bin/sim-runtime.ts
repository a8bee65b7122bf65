// What the simulation needs from outside of itself: the real client, and a turn of the event loop between two steps. Wiring only.

import { kubeClient } from "../drivers/kube/client.ts";
import { simulatedJobs } from "../jobs/simulated.ts";
import type { DrawnFault } from "../sim/faults/fault.ts";
import { jobsOfSeed } from "../sim/run/jobs-of-seed.ts";
import { faultsOf, type RunOptions, runSeed, type SeedResult } from "../sim/run/run-seed.ts";
import { product } from "./product.ts";

/** A turn of the event loop: every promise job has run by then. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export function simulate(
  seed: number,
  options: Partial<Omit<RunOptions, "seed" | "kubeOver" | "settle" | "product">> = {},
): Promise<SeedResult> {
  const kubeOver: RunOptions["kubeOver"] = (client) => kubeClient(client);
  return withoutStacks(() =>
    runSeed({ seed, kubeOver, settle, product, jobs: jobsOfSeed(seed, simulatedJobs), ...options }),
  );
}

/** Those that the seed's own world has. */
export function drawnFaults(seed: number): readonly DrawnFault[] {
  return faultsOf(seed, jobsOfSeed(seed, simulatedJobs));
}

const usualFrames = Error.stackTraceLimit;
let running = 0;

/** Faults make errors by the hundred, and nobody sees where each was made: to find that out costs more than the fault itself. */
async function withoutStacks<T>(run: () => Promise<T>): Promise<T> {
  running += 1;
  Error.stackTraceLimit = 0;
  try {
    return await run();
  } finally {
    running -= 1;
    if (running === 0) Error.stackTraceLimit = usualFrames;
  }
}
