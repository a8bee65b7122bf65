// What Octavia says it can do: versions, providers, flavors, availability zones; and what a request may use of it.

import type { Flavor, LoadBalancerZone } from "../../../../core/openstack/octavia-objects.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import { type ProviderRules, providerRules } from "./provider-rules.ts";

const usualProviders = { amphora: "amphora", octavia: "amphora", ovn: "ovn" } as const;
const usualMinor = 26;

/** Minor versions of v2 with which these came. */
const since = { tags: 5, flavors: 6, additive: 11, accessLists: 12, sourceIpPort: 13, zones: 14 };

export function minorOf({ options }: Cloud): number {
  return options.octaviaMinor ?? usualMinor;
}

export function providersOf({ options }: Cloud): Readonly<Record<string, keyof typeof providerRules>> {
  return options.providers ?? usualProviders;
}

function defaultProviderOf(cloud: Cloud): string {
  return cloud.options.defaultProvider ?? Object.keys(providersOf(cloud))[0] ?? "amphora";
}

export function rulesOf(cloud: Cloud, provider: string): ProviderRules {
  const providers = providersOf(cloud);
  const behaviour = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (behaviour === undefined) refuse(400, `Provider '${provider}' is not enabled.`);
  return providerRules[behaviour];
}

export function listFlavors(cloud: Cloud): readonly Flavor[] {
  if (minorOf(cloud) < since.flavors) refuse(404, "Not Found");
  return cloud.flavors.map(({ id, name, enabled }) => ({ id, name, enabled }));
}

export function listZones(cloud: Cloud): readonly LoadBalancerZone[] {
  if (minorOf(cloud) < since.zones) refuse(404, "Not Found");
  return [...cloud.balancerZones].map(([name, enabled]) => ({ name, enabled }));
}

export function checkVersion(cloud: Cloud, feature: keyof typeof since, attribute: string): void {
  if (minorOf(cloud) < since[feature]) refuse(400, `Unknown attribute: ${attribute}`);
}

/** Flavor and provider must fit each other; a flavor alone decides the provider. */
export function chooseProvider(cloud: Cloud, provider: string | undefined, flavorId: string | undefined): string {
  if (flavorId === undefined) return provider ?? defaultProviderOf(cloud);
  checkVersion(cloud, "flavors", "flavor_id");
  const flavor = cloud.flavors.find(({ id }) => id === flavorId);
  if (flavor === undefined) refuse(400, "Validation failure: Invalid flavor_id.");
  if (!flavor.enabled) refuse(400, `The selected flavor is not allowed in this deployment: ${flavorId}`);
  if (provider !== undefined && provider !== flavor.provider)
    refuse(400, `Flavor '${flavorId}' is not compatible with provider '${provider}'`);
  return flavor.provider;
}

export function checkZone(cloud: Cloud, zone: string | undefined): void {
  if (zone === undefined) return;
  checkVersion(cloud, "zones", "availability_zone");
  const enabled = cloud.balancerZones.get(zone);
  if (enabled === undefined) refuse(400, "Validation failure: Invalid availability zone.");
  if (!enabled) refuse(400, `The selected availability_zone is not allowed in this deployment: ${zone}`);
}
