// The features of every job: what its controllers do.

import type { JobFeatures } from "../engine/job-features.ts";
import { apiEndpointFeatures } from "./api-endpoint/controller/features.ts";
import { gatewayFeatures } from "./gateway/controller/features.ts";
import { topologyFeatures } from "./topology/controller/features.ts";

// biome-ignore format: a job a line
export const allFeatures: readonly JobFeatures[] = [
  topologyFeatures,
  apiEndpointFeatures,
  gatewayFeatures,
];
