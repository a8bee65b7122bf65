// The features that a configuration turns on, made from it.

import { controllerNames } from "../../core/job/declaration.ts";
import type { Feature } from "../../engine/feature.ts";
import type { JobFeatures, JobPorts } from "../../engine/job-features.ts";
import { type Configuration, settingsOf } from "./configuration.ts";

export function enabledFeatures(
  configuration: Configuration,
  jobs: readonly JobFeatures[],
  ports: JobPorts,
): readonly Feature[] {
  const runs = (controller: string) => configuration.controllers[controller]?.enabled ?? true;
  return jobs.flatMap(({ job, controllers }) => {
    const settings = settingsOf(configuration, job);
    const { featureGates } = configuration;
    return controllerNames([job])
      .filter(runs)
      .flatMap((name) => controllers[name]?.({ settings, featureGates, runs, ports }) ?? []);
  });
}
