// The two controllers of the api-endpoint job, from its settings.

import type { z } from "zod";
import { type JobPorts, jobFeatures } from "../../../engine/job-features.ts";
import { apiEndpointJob } from "../job.ts";
import type { endpointSettings } from "../settings.ts";
import type { ControllerSettings } from "./feature.ts";
import { apiEndpointFeature, openStackClusterFeature } from "./front-doors.ts";

export const apiEndpointFeatures = jobFeatures(apiEndpointJob, {
  "openstack-cluster": ({ settings, ports }) =>
    openStackClusterFeature({ ...controllerSettings(settings, ports), claims: settings.claims }),
  "api-endpoint": ({ settings, runs, ports }) =>
    apiEndpointFeature({
      ...controllerSettings(settings, ports),
      claims: runs("openstack-cluster") ? settings.claims : "none",
    }),
});

function controllerSettings(settings: z.output<typeof endpointSettings>, ports: JobPorts): ControllerSettings {
  const { observeAgainSeconds, probe: how, probeIntervalSeconds, probeTimeoutSeconds } = settings;
  const { openStack, probe } = ports;
  const timings = { intervalMs: probeIntervalSeconds * 1_000, timeoutMs: probeTimeoutSeconds * 1_000 };
  return {
    openStack,
    observeAgainMs: observeAgainSeconds * 1_000,
    ...(how === "none" || probe === undefined ? {} : { probing: { probe, how, ...timings } }),
  };
}
