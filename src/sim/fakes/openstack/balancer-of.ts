// The balancer that an object of Octavia is or belongs to, and its zone: faults are about balancers and zones, calls name their parts.

import type { Cloud } from "./cloud.ts";

export function balancerOf({ tables }: Cloud, id: string): string | undefined {
  if (tables.loadbalancers.get(id) !== undefined) return id;
  const child =
    tables.listeners.get(id) ?? tables.pools.get(id) ?? tables.members.get(id) ?? tables.healthmonitors.get(id);
  return child?.loadBalancerId;
}

/** Of a balancer, or of a subnet. */
export function zoneOf({ tables, subnetZones }: Cloud, id: string): string | undefined {
  return subnetZones.get(tables.loadbalancers.get(id)?.vipSubnetId ?? id);
}
