// The gateway job for the registry of simulated jobs. Its worlds are big enough without any other.

import { simulatedJob } from "../../../sim/run/simulated-job.ts";
import { gatewaySimJob } from "./gateway-job.ts";

export const simulatedGateway = simulatedJob({ job: "gateway", isAlone: true, jobOf: gatewaySimJob });
