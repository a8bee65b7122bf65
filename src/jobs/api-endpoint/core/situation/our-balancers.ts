// Sorts the balancers that were found into ours, by zone, and those of others. Ours is what bears our tag, what status or its own parts
// still know when its tags were cleared, and one that may be adopted.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { adoptionOf, hasOwnerTag, isOursByStatus } from "../model/ownership.ts";
import { isOursByParts, zoneOfOurs } from "./known-by-parts.ts";
import { recordedOf } from "./places.ts";

export interface Ours {
  /** By zone; each list with the one to keep first. */
  readonly zones: ReadonlyMap<string, readonly BalancerObserved[]>;
  /** Without a zone, the one to keep first. */
  readonly zoneless: readonly BalancerObserved[];
  readonly foreign: readonly LoadBalancer[];
}

export function ourBalancers(
  observed: EndpointObserved,
  balancers: readonly BalancerObserved[],
  ownerId: string,
): Ours {
  const zones = new Map<string, BalancerObserved[]>();
  const zoneless: BalancerObserved[] = [];
  const adoptable: BalancerObserved[] = [];
  const foreign: LoadBalancer[] = [];
  const intoZone = (zone: string, seen: BalancerObserved) => zones.set(zone, [...(zones.get(zone) ?? []), seen]);
  for (const seen of balancers) {
    const { balancer } = seen;
    if (balancer.provisioningStatus === "DELETED") continue;
    const isTagged = hasOwnerTag(balancer.tags, ownerId);
    const adoption = isTagged ? undefined : adoptionOf(balancer, observed);
    const isOurs = isTagged || isOursByStatus(balancer, observed) || isOursByParts(seen, observed, ownerId);
    const zone = zoneOfOurs(seen, observed);
    // What CAPO made is adopted as what it was: see `legacy` in assignment.ts.
    if (adoption?.as === "legacy") adoptable.push(seen);
    else if (adoption?.as === "zone") intoZone(adoption.zone, seen);
    else if (!isOurs) foreign.push(balancer);
    else if (zone !== undefined) intoZone(zone, seen);
    else zoneless.push(seen);
  }
  // Of several that could be adopted one is; the others were never ours, and are not deleted as duplicates would be.
  const [adopted, ...others] = toKeepFirst(adoptable, observed, undefined);
  const singles = toKeepFirst(zoneless, observed, undefined);
  const takes = singles.length === 0 && adopted !== undefined;
  return {
    zones: new Map(
      [...zones].toSorted(([a], [b]) => comparing(a, b)).map(([zone, all]) => [zone, toKeepFirst(all, observed, zone)]),
    ),
    zoneless: takes ? [adopted] : singles,
    foreign: [
      ...foreign,
      ...[...(takes || adopted === undefined ? [] : [adopted]), ...others].map(({ balancer }) => balancer),
    ],
  };
}

/** Of duplicates, which a lost answer can leave behind: the one that status knows, then one that is not on its way out, then the oldest. */
function toKeepFirst(
  all: readonly BalancerObserved[],
  observed: EndpointObserved,
  zone: string | undefined,
): readonly BalancerObserved[] {
  const memory = recordedOf(observed, zone)?.id;
  const rank = ({ balancer }: BalancerObserved): string =>
    [
      balancer.provisioningStatus === "PENDING_DELETE" ? "1" : "0",
      balancer.id === memory ? "0" : "1",
      balancer.createdAt,
      balancer.id,
    ].join(" ");
  return all.toSorted((a, b) => comparing(rank(a), rank(b)));
}

export function comparing(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
