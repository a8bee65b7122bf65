// What every step on a balancer's ports is decided from, and whose the parts of a port are.

import type { Listener, ProvisioningStatus } from "../../../../core/openstack/octavia-objects.ts";
import type { Word } from "../../../../core/reasons.ts";
import type { DesiredBalancer, DesiredPort } from "../desired.ts";
import type { EndpointAction } from "../model/action.ts";
import { isPortNameIn, isPortNameOf } from "../model/names.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { hasOwnerTag } from "../model/ownership.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import type { PortObserved } from "../situation/health.ts";
import { balancerNames } from "../situation/machine-of-member.ts";
import { type Situation } from "../situation/situation.ts";

/** A wanted balancer that is ACTIVE, and of which everything below is known. */
export interface BalancerContext {
  readonly wanted: WantedBalancer;
  readonly seen: BalancerObserved;
  readonly situation: Situation;
  readonly desired: DesiredBalancer;
}

/** One of its ports: what is there, as far as it is ours to use, and what should be. */
export interface PortContext extends Omit<BalancerContext, "desired">, PortObserved {
  readonly desired: DesiredPort;
}

export type Step = (context: PortContext) => EndpointAction | readonly EndpointAction[] | undefined;

/** By our tag, or by a name that we or CAPO gave it. */
export function isOurListener(
  { name, tags }: Listener,
  { observed, ownerId }: Pick<Situation, "observed" | "ownerId">,
): boolean {
  return hasOwnerTag(tags, ownerId) || isNamedByUs(name, observed);
}

/** The tree shows no tags, but the pools that bear ours are listed. */
export function isOurPool(
  { id, name }: { readonly id: string; readonly name: string },
  { pools }: BalancerObserved,
  { observed }: Pick<Situation, "observed">,
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

/** It watches, and carries nothing: members serve on without it, unseen. */
export function deleteMonitor(
  { wanted }: Pick<BalancerContext, "wanted">,
  { id, name }: { readonly id: string; readonly name: string },
  because: Word,
): EndpointAction {
  return { kind: "delete-monitor", name, id, removes: `health monitor ${name}`, lane: wanted.lane, because };
}
