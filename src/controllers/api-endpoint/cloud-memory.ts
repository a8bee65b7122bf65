// What looks at the cloud remember from one round to the next, so that a quiet cluster costs few calls.

import { BalancerLooks } from "./balancer-looks.ts";
import { CapabilityCache } from "./capability-cache.ts";
import { FailoverMemory } from "./failover-memory.ts";
import { FloatingIpLooks } from "./floating-ip-looks.ts";
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
