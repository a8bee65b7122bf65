// Every controller of Mainstay, by the name it has in the configuration, in metrics and in logs.

import type { Feature } from "../engine/feature.ts";
import type { Configuration } from "./configuration.ts";
import { topologyFeature } from "./topology.ts";

type ControllerOf = (configuration: Configuration) => Feature;

export const allControllers = {
  /** Publishes the cluster's high-availability mode and reports what does not fit it. */
  topology: ({ topology: { rules, upgradeGate, cluster }, featureGates }) =>
    topologyFeature({
      rules,
      upgradeGate,
      mutable: featureGates.MutableTopology,
      ...(cluster === undefined ? {} : { cluster }),
    }),
} as const satisfies Readonly<Record<string, ControllerOf>>;

export const controllerNames: readonly string[] = Object.keys(allControllers);

export function enabledFeatures(configuration: Configuration): readonly Feature[] {
  return Object.entries(allControllers)
    .filter(([name]) => configuration.controllers[name]?.enabled ?? true)
    .map(([, controllerOf]) => controllerOf(configuration));
}
