// What looks at the cloud remember from one round to the next, so that a quiet cluster costs few calls.

import { CapabilityCache } from "./capability-cache.ts";
import { FailoverMemory } from "./failover-memory.ts";
import { BalancerLooks } from "./observed-balancers.ts";
import { FloatingIpLooks } from "./observed-floating-ips.ts";
import { PlacesCache } from "./places-cache.ts";

export interface CloudMemory {
  readonly looks: BalancerLooks;
  readonly capabilities: CapabilityCache;
  readonly places: PlacesCache;
  readonly failovers: FailoverMemory;
  readonly floatingIps: FloatingIpLooks;
}

export function newCloudMemory(): CloudMemory {
  return {
    looks: new BalancerLooks(),
    capabilities: new CapabilityCache(),
    places: new PlacesCache(),
    failovers: new FailoverMemory(),
    floatingIps: new FloatingIpLooks(),
  };
}
