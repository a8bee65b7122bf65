// Under which names an untagged balancer may be waiting for adoption or for its tags, or a foreign one exists. Each name is a call, so only
// what can matter is listed: what is missing, what status names and no tag shows, what the user says is theirs, and, as long as the object
// is deleted, all that no tag shows. A missing balancer costs no calls of its own, so that observing all stays within 2 + 2A calls.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { type EndpointIntent, zonesOf } from "../../core/model/intent.ts";
import { singleName, zoneName } from "../../core/model/names.ts";
import type { RecordedEndpoint } from "../../core/model/observed.ts";
import { zoneTagOf } from "../../core/model/ownership.ts";

/** `ours`: those that bear our tag. */
export function namesToList(
  intent: EndpointIntent,
  recorded: RecordedEndpoint,
  ours: readonly LoadBalancer[],
): readonly string[] {
  const { cluster, consents, deleting, mode } = intent;
  const zones = zonesOf(intent);
  const living = ours.filter(({ provisioningStatus }) => provisioningStatus !== "DELETED");
  const single = singleName(cluster);
  const namesOf = (mappings: readonly { readonly zone: string }[]) =>
    mappings.map(({ zone }) => zoneName(cluster, zone));
  const present = new Set(living.map(({ tags }) => zoneTagOf(tags)));
  const missing = zones.filter(({ zone }) => !present.has(zone));
  const isMissing = missing.length > 0 || (mode === "single" && living.length === 0);
  const isConsented = mode !== "none" && consents.adoptLegacy && !present.has(undefined);
  const isUnseen = ({ id }: { readonly id?: string | undefined }) =>
    id !== undefined && !ours.some((balancer) => balancer.id === id);
  const unseen = [
    ...([recorded.single, recorded.legacy].some((entry) => entry !== undefined && isUnseen(entry)) ? [single] : []),
    ...namesOf(recorded.zones.filter(isUnseen)),
  ];
  // Nobody looks again afterwards, and a status that was lost or is old speaks of no fall-back.
  const last = [
    ...(present.has(undefined) ? [] : [single]),
    ...namesOf([...missing, ...recorded.zones.filter(({ zone }) => !present.has(zone))]),
  ];
  if (deleting) return once([...last, ...unseen]);
  return once([...(isMissing || isConsented ? [single, ...namesOf(missing)] : []), ...unseen]);
}

function once(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
