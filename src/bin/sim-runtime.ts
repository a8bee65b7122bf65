// What the simulation needs from outside of itself: the real client, and a turn of the event loop between two steps. Wiring only.

import { kubeClient } from "../drivers/kube/client.ts";
import { simulatedJobs } from "../jobs/simulated.ts";
import { jobsOfSeed } from "../sim/run/jobs-of-seed.ts";
import { type RunOptions, runSeed, type SeedResult } from "../sim/run/run-seed.ts";
import { product } from "./product.ts";

/** A turn of the event loop: every promise job has run by then. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export function simulate(
  seed: number,
  options: Partial<Omit<RunOptions, "seed" | "kubeOver" | "settle" | "product">> = {},
): Promise<SeedResult> {
  const kubeOver: RunOptions["kubeOver"] = (client) => kubeClient(client);
  return runSeed({ seed, kubeOver, settle, product, jobs: jobsOfSeed(seed, simulatedJobs), ...options });
}
