// The two controllers of the api-endpoint job, from its settings.

import { jobFeatures } from "../../../engine/job-features.ts";
import { apiEndpointJob } from "../job.ts";
import { apiEndpointFeature, openStackClusterFeature } from "./front-doors.ts";

export const apiEndpointFeatures = jobFeatures(apiEndpointJob, {
  "openstack-cluster": ({ settings: { claims, observeAgainSeconds }, ports: { openStack } }) =>
    openStackClusterFeature({ openStack, claims, observeAgainMs: observeAgainSeconds * 1_000 }),
  "api-endpoint": ({ settings: { claims, observeAgainSeconds }, runs, ports: { openStack } }) =>
    apiEndpointFeature({
      openStack,
      claims: runs("openstack-cluster") ? claims : "none",
      observeAgainMs: observeAgainSeconds * 1_000,
    }),
});
