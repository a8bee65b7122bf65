// The gateway controller, from its settings.

import { jobFeatures } from "../../../engine/job-features.ts";
import { gatewayJob } from "../job.ts";
import { gatewayFeature } from "./feature.ts";

export const gatewayFeatures = jobFeatures(gatewayJob, {
  gateway: ({ settings, ports }) =>
    gatewayFeature({
      openStack: ports.openStack,
      ...(ports.gateways === undefined ? {} : { feed: ports.gateways }),
      observeAgainMs: settings.observeAgainSeconds * 1_000,
      neutronMs: settings.neutronSeconds * 1_000,
      graceMs: settings.graceSeconds * 1_000,
    }),
});
