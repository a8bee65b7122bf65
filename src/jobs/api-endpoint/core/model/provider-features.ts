// What the balancer's provider can do, as far as its name, the API's version and earlier refusals tell. What is not there is left
// out of requests, and said once.

import type { Known } from "../../../../core/known.ts";
import type { Refusal } from "../../../../core/plan.ts";
import type { Capabilities, ProviderRefusal } from "./observed.ts";

/** `failover`: forbidden to us or not to be had. `floating-ip-tags`: of Neutron, whose provider is `neutron`. */
export type ProviderFeature =
  | "availability-zone"
  | "allowed-cidrs"
  | "health-monitor"
  | "timeouts"
  | "batch-members"
  | "failover"
  | "floating-ip-tags";

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

/** Everything of ours is known by its tag: without them nothing may be made. */
const tagsSince = 5;

export function isTooOld([major, minor]: Capabilities["version"]): boolean {
  return major < 2 || (major === 2 && minor < tagsSince);
}

export function tooOldWords([major, minor]: Capabilities["version"]): string {
  return `Octavia's API is ${major}.${minor}; Mainstay needs 2.${tagsSince} (OpenStack Stein), which has tags`;
}

/** Why nothing may be made in this cloud. */
export function octaviaTooOld(capabilities: Known<Capabilities>): readonly Refusal[] {
  if (!capabilities.known || !isTooOld(capabilities.value.version)) return [];
  return [{ reason: "OctaviaTooOld", message: `${tooOldWords(capabilities.value.version)}; nothing is made` }];
}

const withoutInOvn: ReadonlySet<ProviderFeature> = new Set(["availability-zone", "allowed-cidrs"]);

/** `provider`: the balancer's own, or the one that is asked for; undefined asks for the cloud's default. */
export function supports(
  { version: [major, minor], refused }: Capabilities,
  provider: string | undefined,
  feature: ProviderFeature,
): boolean {
  if (major < 2 || (major === 2 && minor < since[feature])) return false;
  if (provider === "ovn" && withoutInOvn.has(feature)) return false;
  return !isRefused(refused, { provider: provider ?? "", feature });
}

export function isRefused(refused: readonly ProviderRefusal[], { provider, feature, zone }: ProviderRefusal): boolean {
  return refused.some((known) => known.provider === provider && known.feature === feature && known.zone === zone);
}

/**
 * What is refused after a 501 to a request for `asked`, which comes with the least loss first. A 501 does not say what it is about: one
 * thing at a time is left out, and an access list only when the request was refused with nothing else in it. The timeouts that were
 * blamed before it then count again.
 */
export function refusedAfter(
  refused: readonly ProviderRefusal[],
  asked: readonly ProviderRefusal[],
): readonly ProviderRefusal[] {
  const [blamed] = asked;
  if (blamed === undefined || asked.some((one) => isRefused(refused, one))) return refused;
  const countsAgain = ({ provider, feature }: ProviderRefusal) =>
    blamed.feature === "allowed-cidrs" && provider === blamed.provider && feature === "timeouts";
  return [...refused.filter((one) => !countsAgain(one)), blamed];
}

/** OVN never ends the creation of a listener on a balancer that has a health monitor: see test/contract/openstack/octavia-ovn.ts. */
export function hangsOnLateListeners(provider: string): boolean {
  return provider === "ovn";
}

/** OVN spreads by connection only. */
export function algorithmOf(provider: string): "ROUND_ROBIN" | "SOURCE_IP_PORT" {
  return provider === "ovn" ? "SOURCE_IP_PORT" : "ROUND_ROBIN";
}
