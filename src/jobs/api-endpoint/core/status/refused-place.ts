// Whether nothing is done for a balancer before somebody corrects where it should go: a network or a subnet was not found. The table of zones
// and the picture both ask here, so that they cannot contradict each other.

import { findCondition } from "../../../../core/conditions.ts";
import type { LoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";
import type { EndpointLike } from "./shown-balancers.ts";

export function hasRefusedPlace({ status }: EndpointLike, { id, loadBalancerNetwork }: LoadBalancerStatus): boolean {
  const isRefused = findCondition(status?.conditions ?? [], "NetworkReady")?.status === "False";
  return isRefused && !id && (loadBalancerNetwork?.subnets ?? []).length === 0;
}
