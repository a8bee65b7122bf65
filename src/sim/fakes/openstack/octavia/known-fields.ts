// The fields that each request may have, and no others.

const texts = ["name", "tags"];
const timings = ["delaySeconds", "timeoutSeconds", "maxRetries", "maxRetriesDown"];
const idleTimeouts = ["clientTimeoutMs", "memberTimeoutMs"];

export const known = {
  taggedQuery: [...texts, "tagsAny"],
  childQuery: [...texts, "tagsAny", "loadBalancerId"],
  createLoadBalancer: [
    ...texts,
    "description",
    "vipSubnetId",
    "vipNetworkId",
    "vipAddress",
    "provider",
    "flavorId",
    "availabilityZone",
  ],
  updateLoadBalancer: [...texts, "description", "adminStateUp"],
  createListener: [...texts, ...idleTimeouts, "loadBalancerId", "protocol", "port", "allowedCidrs"],
  updateListener: [...texts, ...idleTimeouts, "allowedCidrs", "connectionLimit", "adminStateUp"],
  createPool: [...texts, "listenerId", "protocol", "algorithm"],
  updatePool: [...texts, "algorithm", "adminStateUp"],
  createHealthMonitor: [...texts, ...timings, "poolId", "type"],
  updateHealthMonitor: [...texts, ...timings, "adminStateUp"],
  createMember: [...texts, "address", "port", "subnetId", "weight", "backup", "adminStateUp"],
  updateMember: [...texts, "weight", "adminStateUp"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
