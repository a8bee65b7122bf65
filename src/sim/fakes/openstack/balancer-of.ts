// The balancer that an object of Octavia is or belongs to: faults are about balancers, calls name their parts.

import type { Cloud } from "./cloud.ts";

export function balancerOf({ tables }: Cloud, id: string): string | undefined {
  if (tables.loadbalancers.get(id) !== undefined) return id;
  const child =
    tables.listeners.get(id) ?? tables.pools.get(id) ?? tables.members.get(id) ?? tables.healthmonitors.get(id);
  return child?.loadBalancerId;
}
