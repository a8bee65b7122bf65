// The simulated jobs. Seeds are dealt out in this order, so a new one is added at the end.

import type { SimulatedJob } from "../sim/run/simulated-job.ts";
import { simulatedEndpoints } from "./api-endpoint/sim/simulated-endpoints.ts";
import { simulatedGateway } from "./gateway/sim/simulated-gateway.ts";
import { simulatedTopology } from "./topology/sim/simulated-topology.ts";

// biome-ignore format: a job a line
export const simulatedJobs: readonly SimulatedJob[] = [
  simulatedTopology,
  simulatedEndpoints,
  simulatedGateway,
];
