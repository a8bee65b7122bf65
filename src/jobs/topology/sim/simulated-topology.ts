// The topology job for the registry of simulated jobs.

import { simulatedJob } from "../../../sim/run/simulated-job.ts";
import { topologyDemo } from "./demo/topology-demo.ts";
import { topologyJob } from "./topology-job.ts";

export const simulatedTopology = simulatedJob({
  job: "topology",
  eighths: 2,
  jobOf: () => topologyJob(),
  demo: topologyDemo,
});
