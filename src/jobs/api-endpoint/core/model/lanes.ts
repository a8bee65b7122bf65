// The lanes of this job. Each balancer is a part, and its floating IP an aspect of it, so that a quota of floating IPs never holds up the
// balancer behind it. Publishing DNS records, writing the endpoint, and floating IPs of no balancer are parts of their own. What has no
// lane concerns the whole object, and waits until nothing else is under way: the finalizer, the owner id, the location, the tags.

import type { Lane } from "../../../../core/plan.ts";

export const singleLane: Lane = { part: "single" };
/** Of the balancer from before the zones. */
export const fallbackLane: Lane = { part: "legacy" };
export const dnsLane: Lane = { part: "dns" };
/** Of the endpoint in the object's spec, or in CAPO's. */
export const endpointLane: Lane = { part: "endpoint" };
/** Of a floating IP that is set aside for machines. */
export const keptFloatingIpLane: Lane = { part: "floating-ip" };

/** Of the Secret with the credentials: who may not change Secrets is held up by nothing. */
export const credentialsLane: Lane = { part: "credentials" };

const otherParts = new Set(
  [singleLane, fallbackLane, dnsLane, endpointLane, keptFloatingIpLane, credentialsLane].map(({ part }) => part),
);

/** Before the name of a zone that is called like another part. */
const zonePrefix = "zone ";

export function zoneLane(zone: string): Lane {
  return { part: otherParts.has(zone) || zone.startsWith(zonePrefix) ? `${zonePrefix}${zone}` : zone };
}

/** Undefined for what is no zone's. */
export function zoneOfLane({ part }: Lane): string | undefined {
  if (otherParts.has(part)) return undefined;
  return part.startsWith(zonePrefix) ? part.slice(zonePrefix.length) : part;
}

/** Of a balancer's floating IP. */
export function floatingIpLane({ part }: Lane): Lane {
  return { part, aspect: "floating-ip" };
}

/** Of a floating IP that is left over. */
export function leftoverFloatingIpLane(address: string): Lane {
  return { ...keptFloatingIpLane, aspect: address };
}
