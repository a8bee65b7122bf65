// The simulated jobs, each with its share of the seeds and its part of the demonstration.

import type { SimulatedJob } from "../sim/run/simulated-job.ts";
import { simulatedEndpoints } from "./api-endpoint/sim/simulated-endpoints.ts";
import { simulatedTopology } from "./topology/sim/simulated-topology.ts";

// biome-ignore format: a job a line
export const simulatedJobs: readonly SimulatedJob[] = [
  simulatedTopology,
  simulatedEndpoints,
];
