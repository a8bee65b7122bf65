// Under which names an untagged balancer may be waiting for adoption, or a foreign one exists. Each name is a call, so only what can matter
// is listed: what is missing, what the user says is theirs, and, before the finalizer goes, everything. A missing balancer costs no
// calls of its own, so that observing all stays within 2 + 2A calls.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { type EndpointIntent, zonesOf } from "../../core/model/intent.ts";
import { singleName, zoneName } from "../../core/model/names.ts";
import { zoneTagOf } from "../../core/model/ownership.ts";

/** `ours`: those that bear our tag. */
export function namesToList(intent: EndpointIntent, ours: readonly LoadBalancer[]): readonly string[] {
  const { cluster, consents, deleting, mode } = intent;
  const zones = zonesOf(intent);
  const living = ours.filter(({ provisioningStatus }) => provisioningStatus !== "DELETED");
  const single = singleName(cluster);
  const namesOf = (mappings: typeof zones) => mappings.map(({ zone }) => zoneName(cluster, zone));
  if (deleting) return living.length > 0 ? [] : [single, ...namesOf(zones)];
  const present = new Set(living.map(({ tags }) => zoneTagOf(tags)));
  const missing = zones.filter(({ zone }) => !present.has(zone));
  const isMissing = missing.length > 0 || (mode === "single" && living.length === 0);
  const isConsented = mode !== "none" && consents.adoptLegacy && !present.has(undefined);
  return isMissing || isConsented ? [single, ...namesOf(missing)] : [];
}
