// Which floating IPs matter to an object beside those on its VIPs: marked as its own, or written down by somebody. And how Neutron finds
// them.

import { canonicalAddress } from "../../../../../core/net/ip.ts";
import type { FloatingIp, FloatingIpQuery } from "../../../../../core/openstack/neutron-objects.ts";
import { type EndpointIntent, zonesOf } from "../../../core/model/intent.ts";
import { floatingIpDescription, isFloatingIpDescriptionOf } from "../../../core/model/names.ts";
import type { RecordedEndpoint } from "../../../core/model/observed.ts";
import { ownerTag } from "../../../core/model/ownership.ts";

export interface Seeking {
  /** Of the cloud. */
  readonly endpointKey: string;
  readonly intent: EndpointIntent;
  readonly recorded: RecordedEndpoint;
}

export interface Sought {
  readonly endpointKey: string;
  readonly ownerId: string | undefined;
  readonly deleting: boolean;
  readonly zones: readonly string[];
  readonly addresses: readonly string[];
}

export function soughtBy({ endpointKey, intent, recorded }: Seeking): Sought {
  const { ownerId, deleting } = intent;
  const zones = new Set([...zonesOf(intent), ...recorded.zones].map(({ zone }) => zone));
  return { endpointKey, ownerId, deleting, zones: [...zones].toSorted(), addresses: namedAddresses(intent, recorded) };
}

/** What was sought before is at least what is sought now. */
export function covers(before: Sought, now: Sought): boolean {
  if (before.endpointKey !== now.endpointKey || before.ownerId !== now.ownerId) return false;
  if (before.deleting !== now.deleting) return false;
  const isSought = (all: readonly string[], some: readonly string[]) => some.every((one) => all.includes(one));
  return isSought(before.zones, now.zones) && isSought(before.addresses, now.addresses);
}

export function queriesFor({ ownerId, deleting, zones, addresses }: Sought): readonly FloatingIpQuery[] {
  if (ownerId === undefined) return [];
  const named = addresses.length === 0 ? [] : [{ addresses }];
  // The last time of all: Neutron finds no part of a description, and nobody may remember the zone of one that was never tagged. What somebody
  // wrote down is asked for by itself: that one list does not show it is not enough to leave it behind.
  if (deleting) return [{}, ...named];
  const descriptions = [undefined, ...zones].map((zone) => floatingIpDescription(ownerId, zone));
  return [
    { tags: [ownerTag(ownerId)] },
    // One whose tags were not written yet.
    { descriptions },
    ...named,
  ];
}

export function isSought({ tags, description, address }: FloatingIp, { ownerId = "", addresses }: Sought): boolean {
  const isMarked = tags.includes(ownerTag(ownerId)) || isFloatingIpDescriptionOf(ownerId, description);
  return isMarked || addresses.includes(canonicalAddress(address) ?? "");
}

/** Addresses that somebody wrote down: in the spec, in status, or as the endpoint itself. */
function namedAddresses(
  { floatingIp, endpoint }: EndpointIntent,
  { zones, single }: RecordedEndpoint,
): readonly string[] {
  const named = [floatingIp.address, endpoint?.host, single?.address, ...zones.map(({ address }) => address)];
  return [...new Set(named.flatMap((address) => canonicalAddress(address ?? "") ?? []))].toSorted();
}
