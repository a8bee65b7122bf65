// Whose an object in the cloud is. Our mark is a tag with the owner id; zone and role stand beside it. Names prove nothing.
//
//   object                                     is ours when
//   balancer                                   it has our owner tag
//   balancer with another owner's tag          never
//   balancer without any owner tag             status names its id, and it has our name and is where status says: somebody cleared its tags;
//                                              or a listener or monitor of it has our owner tag: situation/known-by-parts.ts;
//                                              or, through the OpenStackCluster door, it is CAPO's for this cluster by name and description,
//                                              and its id is in status, or it holds the cluster's endpoint, or the user consents
//   floating IP                                description or owner tag say so; made by us only with our description or our role tag
//   listener, pool, monitor, member            its balancer is ours and it has our tag or one of our names

import { isSameTag } from "../../../../apis/openstack/tag-text.ts";
import { canonicalAddress } from "../../../../core/net/ip.ts";
import type { FloatingIp } from "../../../../core/openstack/neutron-objects.ts";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { zonesOf } from "./intent.ts";
import {
  balancerDescription,
  floatingIpDescription,
  isFloatingIpDescriptionOf,
  singleName,
  zoneName,
} from "./names.ts";
import type { EndpointObserved, RecordedBalancer } from "./observed.ts";

export type BalancerRole = "zone" | "single" | "fallback";
export type Role = BalancerRole | "listener" | "pool" | "monitor" | "member" | "floating-ip";

export interface Mark {
  readonly ownerId: string;
  readonly zone: string | undefined;
  readonly role: Role;
}

const ownerKey = "mainstay-owner=";
const zoneKey = "mainstay-zone=";
const roleKey = "mainstay-role=";

/** The tag by which everything of an owner is listed. */
export function ownerTag(ownerId: string): string {
  return `${ownerKey}${ownerId}`;
}

/** The user's own and ours. */
export function tagsFor({ ownerId, zone, role }: Mark, userTags: readonly string[]): readonly string[] {
  const ours = [ownerTag(ownerId), ...(zone === undefined ? [] : [`${zoneKey}${zone}`]), `${roleKey}${role}`];
  return [...new Set([...userTags, ...ours])];
}

/** The tags an object should have, keeping those of others but not the user's former ones; undefined when it has them. */
export function retagged(
  current: readonly string[],
  wanted: readonly string[],
  former: readonly string[],
): readonly string[] | undefined {
  const foreign = current.filter(
    (tag) => ![ownerKey, zoneKey, roleKey].some((key) => tag.startsWith(key)) && !hasTagOf(former, [tag]),
  );
  const missing = wanted.filter((tag) => !foreign.some((one) => isSameTag(one, tag)));
  const tags = [...new Set([...foreign, ...missing])];
  return tags.length === current.length && tags.every((tag) => current.includes(tag)) ? undefined : tags;
}

/** One of them is among these, as the cloud compares them. */
export function hasTagOf(some: readonly string[], tags: readonly string[]): boolean {
  return some.some((one) => tags.some((tag) => isSameTag(one, tag)));
}

export function hasOwnerTag(tags: readonly string[], ownerId: string): boolean {
  return tags.includes(ownerTag(ownerId));
}

/** Somebody's, whoever it is. */
export function hasAnyOwnerTag(tags: readonly string[]): boolean {
  return tags.some((tag) => tag.startsWith(ownerKey));
}

export function zoneTagOf(tags: readonly string[]): string | undefined {
  return tags.find((tag) => tag.startsWith(zoneKey))?.slice(zoneKey.length);
}

export function roleTagOf(tags: readonly string[]): string | undefined {
  return tags.find((tag) => tag.startsWith(roleKey))?.slice(roleKey.length);
}

/** The zone that a balancer of ours stands for: by its tag, or, where that was cleared, by status. */
export function zoneOfBalancer({ id, name, tags }: LoadBalancer, observed: EndpointObserved): string | undefined {
  const zone = zoneTagOf(tags);
  if (zone !== undefined || ["single", "fallback"].includes(roleTagOf(tags) ?? "")) return zone;
  const { recorded, intent } = observed;
  return recorded.zones.find((entry) => entry.id === id && name === zoneName(intent.cluster, entry.zone))?.zone;
}

/** Its tags are gone, and status, which we write, knows it by id, name and place. A zone's may still have the name of before the zones. */
export function isOursByStatus(balancer: LoadBalancer, { recorded, intent }: EndpointObserved): boolean {
  const { id, name, tags } = balancer;
  if (hasAnyOwnerTag(tags)) return false;
  const isNamed = (zone?: string) =>
    name === singleName(intent.cluster) || (zone !== undefined && name === zoneName(intent.cluster, zone));
  const zoneless = [recorded.single, recorded.legacy].flatMap((entry) => entry ?? []);
  const entries = [...zoneless.map((entry) => ({ ...entry, zone: undefined })), ...recorded.zones];
  return entries.some((entry) => entry.id === id && isNamed(entry.zone) && isInPlace(balancer, entry));
}

/** The one from before the zones that is kept beside them: by its tag, or, where that was cleared, by status. */
export function isFallback({ id, tags }: LoadBalancer, { recorded }: EndpointObserved): boolean {
  return (roleTagOf(tags) ?? (recorded.legacy?.id === id ? "fallback" : undefined)) === "fallback";
}

type RecordedPlace = Pick<RecordedBalancer, "subnetId" | "networkId">;

/** Without a place in status nothing but the id would speak for it: CAPO writes one, too. */
function isInPlace({ vipSubnetId, vipNetworkId }: LoadBalancer, { subnetId, networkId }: RecordedPlace): boolean {
  return subnetId === undefined ? networkId !== undefined && networkId === vipNetworkId : subnetId === vipSubnetId;
}

export type Adoption = { readonly as: "legacy" } | { readonly as: "zone"; readonly zone: string };

/** What an untagged balancer of CAPO's would be adopted as; undefined when it is left alone. */
export function adoptionOf(balancer: LoadBalancer, observed: EndpointObserved): Adoption | undefined {
  const { intent, recorded } = observed;
  if (intent.door === "APIEndpoint" || hasAnyOwnerTag(balancer.tags)) return undefined;
  if (balancer.description !== balancerDescription(intent.cluster)) return undefined;
  if (balancer.name === singleName(intent.cluster)) {
    const isOurs =
      recorded.single?.id === balancer.id || intent.consents.adoptLegacy || holdsEndpoint(balancer, observed);
    return isOurs ? { as: "legacy" } : undefined;
  }
  const zone = zonesOf(intent).find((mapping) => balancer.name === zoneName(intent.cluster, mapping.zone))?.zone;
  if (zone === undefined) return undefined;
  const isRecorded = recorded.zones.some((entry) => entry.zone === zone && entry.id === balancer.id);
  return isRecorded || intent.consents.adoptLegacy ? { as: "zone", zone } : undefined;
}

/** The endpoint is its VIP, or the floating IP on its VIP. */
function holdsEndpoint({ vipAddress, vipPortId }: LoadBalancer, { intent, floatingIps }: EndpointObserved): boolean {
  const hosts = [intent.endpoint?.host, intent.clusterEndpoint?.host].flatMap(
    (host) => canonicalAddress(host ?? "") ?? [],
  );
  const attached = floatingIps.known ? floatingIps.value.filter(({ portId }) => portId === vipPortId) : [];
  return [vipAddress, ...attached.map(({ address }) => address)].some((address) =>
    hosts.includes(canonicalAddress(address) ?? ""),
  );
}

/** Marked for this zone (or for the single balancer): by our description, or by tags, which an operator can set beforehand. */
export function isFloatingIpFor(floatingIp: FloatingIp, ownerId: string, zone: string | undefined): boolean {
  const { tags, description } = floatingIp;
  // Somebody cleared the tags that say what it is for; its description still does.
  const isBare = zoneTagOf(tags) === undefined && roleTagOf(tags) === undefined;
  if (hasOwnerTag(tags, ownerId) && !(isBare && isFloatingIpDescriptionOf(ownerId, description)))
    return zoneTagOf(tags) === zone;
  return description === floatingIpDescription(ownerId, zone);
}

/** Made or taken over by us, and so ours to delete. One that the operator marked has no role. */
export function isFloatingIpMade({ description, tags }: FloatingIp, ownerId: string): boolean {
  const isTakenOver = hasOwnerTag(tags, ownerId) && roleTagOf(tags) === "floating-ip";
  return isTakenOver || isFloatingIpDescriptionOf(ownerId, description);
}
