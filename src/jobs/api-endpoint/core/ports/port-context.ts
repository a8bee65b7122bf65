// What every step on a balancer's ports looks at, whose its parts are, and what a port should be like: tags, access list, timeouts.

import { familyOf } from "../../../../core/net/ip.ts";
import type { Listener, ProvisioningStatus } from "../../../../core/openstack/octavia-objects.ts";
import type { Reason } from "../../../../core/reasons.ts";
import type { EndpointAction } from "../model/action.ts";
import { isPortNameIn, isPortNameOf } from "../model/names.ts";
import type { BalancerObserved, Capabilities, Places } from "../model/observed.ts";
import { hasOwnerTag, type Role, tagsFor } from "../model/ownership.ts";
import { supports } from "../model/provider-features.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import type { PortObserved } from "../situation/health.ts";
import { balancerNames } from "../situation/machine-of-member.ts";
import { type Situation } from "../situation/situation.ts";
import { allowedCidrs } from "./allowed-cidrs.ts";

/** One wanted with an ACTIVE balancer that was looked into. */
export interface BalancerContext {
  readonly wanted: WantedBalancer;
  readonly seen: BalancerObserved;
  readonly situation: Situation;
  /** Undefined: could not be seen, and what depends on it is left as it is. */
  readonly capabilities: Capabilities | undefined;
  readonly places: Places | undefined;
}

export interface PortContext extends BalancerContext, PortObserved {
  readonly port: number;
}

export type Step = (on: PortContext) => EndpointAction | readonly EndpointAction[] | undefined;

/** By our tag, or by a name that we or CAPO gave it. */
export function isOurListener({ name, tags }: Listener, { observed, ownerId }: Situation): boolean {
  return hasOwnerTag(tags, ownerId) || isNamedByUs(name, observed);
}

/** The tree shows no tags, but the pools that bear ours are listed. */
export function isOurPool(
  { id, name }: { readonly id: string; readonly name: string },
  { pools }: BalancerObserved,
  { observed }: Situation,
): boolean {
  return isNamedByUs(name, observed) || (pools?.some((listed) => listed.id === id) ?? false);
}

function isNamedByUs(name: string, observed: Situation["observed"]): boolean {
  return (
    isPortNameIn(observed.intent.cluster, name) || balancerNames(observed).some((base) => isPortNameOf(base, name))
  );
}

/** It cannot be changed, nor anything below it. */
export function isInError({ provisioningStatus }: { readonly provisioningStatus: ProvisioningStatus }): boolean {
  return provisioningStatus === "ERROR";
}

/** Undefined: leave it out, the provider has no lists. `unseen`: cannot be told now, and nobody is let in by mistake. */
export function wantedCidrs({
  seen,
  situation,
  capabilities,
  places,
}: BalancerContext): readonly string[] | undefined | "unseen" {
  if (capabilities === undefined) return "unseen";
  if (!supports(capabilities, seen.balancer.provider, "allowed-cidrs")) return undefined;
  const { allowedCidrs: wanted } = situation.intent;
  if (wanted.length === 0) return [];
  const family = familyOf(seen.balancer.vipAddress);
  if (places === undefined || family === undefined) return "unseen";
  return allowedCidrs(wanted, places, family).cidrs ?? "unseen";
}

export interface Timeouts {
  readonly clientTimeoutMs?: number;
  readonly memberTimeoutMs?: number;
}

/** Octavia's fifty seconds end every watch that is silent for a while (decision 51). */
export function wantedTimeouts({ seen, situation, capabilities }: BalancerContext): Timeouts {
  if (capabilities === undefined || !supports(capabilities, seen.balancer.provider, "timeouts")) return {};
  const { idleTimeoutMs } = situation.intent;
  return { clientTimeoutMs: idleTimeoutMs, memberTimeoutMs: idleTimeoutMs };
}

export function childTags(
  { wanted, situation }: Pick<BalancerContext, "wanted" | "situation">,
  role: Role,
): readonly string[] {
  return tagsFor({ ownerId: situation.ownerId, zone: wanted.zone, role }, situation.intent.tags);
}

/** It watches, and carries nothing: members serve on without it, unseen. */
export function deleteMonitor(
  { wanted }: Pick<BalancerContext, "wanted">,
  { id, name }: { readonly id: string; readonly name: string },
  because: Reason,
): EndpointAction {
  return { kind: "delete-monitor", name, id, removes: `health monitor ${name}`, lane: wanted.lane, because };
}
