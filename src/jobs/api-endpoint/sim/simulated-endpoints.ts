// The api-endpoint job for the registry of simulated jobs. Its worlds are big enough without any other.

import { simulatedJob } from "../../../sim/run/simulated-job.ts";
import { apiEndpointJob } from "./api-endpoint-job.ts";
import { endpointDemo } from "./demo/endpoint-demo.ts";

export const simulatedEndpoints = simulatedJob({
  job: "api-endpoint",
  isAlone: true,
  jobOf: apiEndpointJob,
  demo: endpointDemo,
});
