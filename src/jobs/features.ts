// Every controller of Mainstay, by the name it has in the configuration, in metrics and in logs.

import type { Configuration } from "../cli/configuration/configuration.ts";
import type { Feature } from "../engine/feature.ts";
import type { OpenStack } from "../ports/openstack.ts";
import { apiEndpointFeature, openStackClusterFeature } from "./api-endpoint/controller/front-doors.ts";
import { topologyFeature } from "./topology/controller/feature.ts";

/** What controllers reach beside the Kubernetes API. */
export interface ControllerPorts {
  readonly openStack: OpenStack;
}

type ControllerOf = (configuration: Configuration, ports: ControllerPorts) => Feature;

export const allControllers = {
  /** Publishes the cluster's high-availability mode and reports what does not fit it. */
  topology: ({ topology: { rules, upgradeGate, cluster }, featureGates }) =>
    topologyFeature({
      rules,
      upgradeGate,
      mutable: featureGates.MutableTopology,
      ...(cluster === undefined ? {} : { cluster }),
    }),
  /** API load balancers on OpenStack, one per zone, for clusters that Mainstay owns. */
  "openstack-cluster": ({ apiEndpoint }, { openStack }) =>
    openStackClusterFeature({ openStack, claims: apiEndpoint.claims, relookMs: apiEndpoint.relookSeconds * 1_000 }),
  /** The same beside CAPO, through an object of our own. */
  "api-endpoint": ({ apiEndpoint, controllers }, { openStack }) =>
    apiEndpointFeature({
      openStack,
      claims: (controllers["openstack-cluster"]?.enabled ?? true) ? apiEndpoint.claims : "none",
      relookMs: apiEndpoint.relookSeconds * 1_000,
    }),
} as const satisfies Readonly<Record<string, ControllerOf>>;

export const controllerNames: readonly string[] = Object.keys(allControllers);

export function enabledFeatures(configuration: Configuration, ports: ControllerPorts): readonly Feature[] {
  return Object.entries(allControllers)
    .filter(([name]) => configuration.controllers[name]?.enabled ?? true)
    .map(([, controllerOf]) => controllerOf(configuration, ports));
}
