// Mainstay on one screen: every job, by its declaration.

import type { JobDeclaration } from "../core/job/declaration.ts";
import { apiEndpointJob } from "./api-endpoint/job.ts";
import { gatewayJob } from "./gateway/job.ts";
import { topologyJob } from "./topology/job.ts";

// biome-ignore format: a job a line
export const allJobs: readonly JobDeclaration[] = [
  topologyJob,
  apiEndpointJob,
  gatewayJob,
];
