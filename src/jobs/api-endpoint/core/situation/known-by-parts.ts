// Balancers whose own tags somebody cleared, and that status does not name either, as after a move: what we made below them still bears our
// tags, and says whose they are and of which zone. Listeners and monitors are read together with the balancer; pools are read later, and a
// balancer that is known late would be made a second time meanwhile.

import { byText } from "../../../../core/by-text.ts";
import type { Wait } from "../../../../core/plan.ts";
import { unseenWait } from "../balancer/waits.ts";
import { singleName, zoneName } from "../model/names.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { hasAnyOwnerTag, hasOwnerTag, isOursByStatus, zoneOfBalancer, zoneTagOf } from "../model/ownership.ts";
import type { WantedBalancer } from "./assignment.ts";
import { zoneSubnetId } from "./places.ts";

/** With our name, and where its zone's balancer goes, as far as anybody can tell. */
export function isOursByParts(seen: BalancerObserved, observed: EndpointObserved, ownerId: string): boolean {
  const { name, tags, vipSubnetId } = seen.balancer;
  if (hasAnyOwnerTag(tags) || partsOf(seen, ownerId).length === 0) return false;
  const { cluster } = observed.intent;
  const zone = zoneByParts(seen, ownerId);
  if (zone === undefined) return true;
  const subnetId = zoneSubnetId(observed, zone);
  const isInPlace = subnetId === undefined || subnetId === vipSubnetId;
  return isInPlace && [zoneName(cluster, zone), singleName(cluster)].includes(name);
}

/** The zone that a balancer of ours stands for: by its tag; where that was cleared, by status; where that was lost, by what is below it. */
export function zoneOfOurs(seen: BalancerObserved, observed: EndpointObserved): string | undefined {
  const { balancer } = seen;
  const { ownerId } = observed.intent;
  if (ownerId === undefined || hasAnyOwnerTag(balancer.tags) || isOursByStatus(balancer, observed))
    return zoneOfBalancer(balancer, observed);
  return zoneByParts(seen, ownerId);
}

function zoneByParts(seen: BalancerObserved, ownerId: string): string | undefined {
  return partsOf(seen, ownerId).flatMap(({ tags }) => zoneTagOf(tags) ?? [])[0];
}

function partsOf({ listeners, monitors }: BalancerObserved, ownerId: string) {
  return [...listeners, ...monitors].filter(({ tags }) => hasOwnerTag(tags, ownerId));
}

/** Those of our names, or of this one, without any owner's tag, below which nobody could look: our tags may be there. */
export function unreadNamesakes({ balancers }: EndpointObserved, wanted?: WantedBalancer): readonly Wait[] {
  const all = balancers.known ? balancers.value : [];
  return all
    .toSorted(byText(({ balancer }) => balancer.id))
    .flatMap(({ balancer: { name, tags, provisioningStatus }, tree }) => {
      const isMeant = wanted === undefined || name === wanted.name;
      if (!isMeant || tree.known || hasAnyOwnerTag(tags) || provisioningStatus === "DELETED") return [];
      const message = `${name} has none of our tags, and what is below it could not be read: ${tree.message}`;
      return [unseenWait({ ...tree, message }, wanted?.lane)];
    });
}
