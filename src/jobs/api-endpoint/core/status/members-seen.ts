// Whether the members of a balancer's status are those of now. Its health is Unknown in ERROR, too, but then the members were read.

import type { LoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";

export function areMembersSeen({ health, provisioningStatus }: LoadBalancerStatus): boolean {
  return health !== "Unknown" || provisioningStatus === "ERROR";
}
