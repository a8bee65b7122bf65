// Where Cluster API may place control planes. With a mapping only mapped zones may take them: a control plane elsewhere would stand
// behind no balancer.

import { zonesOf } from "../model/intent.ts";
import type { EndpointObserved } from "../model/observed.ts";

export interface FailureDomain {
  readonly name: string;
  readonly controlPlane: boolean;
}

/** Sorted by name. Without a compute service that we can see, from spec and mapping alone. */
export function failureDomains({ intent, computeZones }: EndpointObserved): readonly FailureDomain[] {
  const mapped = zonesOf(intent).map(({ zone }) => zone);
  const listed = intent.controlPlaneZones ?? [];
  const seen = computeZones?.known ? computeZones.value : [...mapped, ...listed];
  const takes = (name: string) =>
    mapped.length > 0
      ? mapped.includes(name)
      : listed.length > 0
        ? listed.includes(name)
        : intent.controlPlaneOmitsZone !== true;
  return [...new Set([...seen, ...mapped])].toSorted().map((name) => ({ name, controlPlane: takes(name) }));
}
