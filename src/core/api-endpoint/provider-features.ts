// What the balancer's provider can do, as far as its name, the API's version and earlier refusals tell. What is not there is left
// out of requests, and said once.

import type { Capabilities, ProviderRefusal } from "./observed.ts";

export type ProviderFeature = ProviderRefusal["feature"];

/** Octavia's minor versions that brought each; monitors and failover were always there. */
const since: Readonly<Record<ProviderFeature, number>> = {
  "availability-zone": 14,
  "allowed-cidrs": 12,
  "health-monitor": 0,
  timeouts: 1,
  "batch-members": 11,
  failover: 0,
  "floating-ip-tags": 0,
};

const withoutInOvn: ReadonlySet<ProviderFeature> = new Set(["availability-zone", "allowed-cidrs"]);

/** `provider`: the balancer's own, or the one that is asked for; undefined asks for the cloud's default. */
export function supports(
  { version: [major, minor], refused }: Capabilities,
  provider: string | undefined,
  feature: ProviderFeature,
): boolean {
  if (major < 2 || (major === 2 && minor < since[feature])) return false;
  if (provider === "ovn" && withoutInOvn.has(feature)) return false;
  return !refused.some((refusal) => refusal.provider === (provider ?? "") && refusal.feature === feature);
}

/** OVN never ends the creation of a listener on a balancer that has a health monitor: see test/contract/openstack/octavia-ovn.ts. */
export function hangsOnLateListeners(provider: string): boolean {
  return provider === "ovn";
}

/** OVN spreads by connection only. */
export function algorithmOf(provider: string): "ROUND_ROBIN" | "SOURCE_IP_PORT" {
  return provider === "ovn" ? "SOURCE_IP_PORT" : "ROUND_ROBIN";
}
