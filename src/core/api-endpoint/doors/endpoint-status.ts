// What the api-endpoint job has to say about one cluster, whichever door it came through. status.ts of the job makes it; the doors
// beside this file turn it into the status of an OpenStackCluster (v1beta1, v1beta2) or of an APIEndpoint.

import type { ReportedCondition } from "../../conditions.ts";
import type { EndpointAddress } from "../intent.ts";
import type { RecordedDns } from "../observed.ts";

export interface EndpointStatus {
  /** Once true, always true: a broken zone only degrades. */
  readonly provisioned: boolean;
  /** In the order of the mappings; empty unless one balancer per zone is wanted or still there. */
  readonly zones: readonly ZoneStatus[];
  /** The deprecated singleton: the balancer of single mode, or the mirror of the first mapping. */
  readonly single: BalancerStatus | undefined;
  readonly endpoint: EndpointAddress | undefined;
  /** The cluster's own network, not the balancers'. */
  readonly network: NetworkFacts | undefined;
  readonly externalNetwork: NetworkFacts | undefined;
  /** Undefined: nobody knows yet, and what is there stays. */
  readonly failureDomains: readonly FailureDomainStatus[] | undefined;
  readonly conditions: readonly ReportedCondition[];
  /** What dns-records.ts must remember, by zone; the empty zone is the single balancer's. */
  readonly dns?: readonly { readonly zone: string; readonly memory: RecordedDns }[];
}

export interface BalancerStatus {
  readonly name?: string;
  readonly id?: string;
  /** The floating address. */
  readonly ip?: string;
  /** The VIP. */
  readonly internalIP?: string;
  readonly tags?: readonly string[];
  readonly allowedCIDRs?: readonly string[];
  /** The balancer's network with exactly the subnet of its VIP. */
  readonly loadBalancerNetwork?: NetworkFacts;
  /** Octavia's words. */
  readonly provisioningStatus?: string;
  readonly operatingStatus?: string;
  readonly health?: BalancerHealth;
  readonly members?: MemberCounts;
}

export interface ZoneStatus extends BalancerStatus {
  readonly availabilityZone: string;
}

/** `Healthy`: every member. `Degraded`: some. `Unhealthy`: none. `Empty`: there is no member. `Unknown`: nobody could look. */
export type BalancerHealth = "Healthy" | "Degraded" | "Unhealthy" | "Empty" | "Unknown";

/** Machines behind the API port: of `total`, so many are `healthy`. */
export interface MemberCounts {
  readonly total: number;
  readonly healthy: number;
}

export interface NetworkFacts {
  readonly id: string;
  readonly name: string;
  readonly tags?: readonly string[];
  readonly subnets?: readonly SubnetFacts[];
}

export interface SubnetFacts {
  readonly id: string;
  readonly name: string;
  readonly cidr: string;
  readonly tags?: readonly string[];
}

export interface FailureDomainStatus {
  readonly name: string;
  readonly controlPlane: boolean;
}
