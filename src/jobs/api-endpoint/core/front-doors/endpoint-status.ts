// What the api-endpoint job has to say about one cluster, whichever door it came through. status.ts of the job makes it; the doors
// beside this file turn it into the status of an OpenStackCluster (v1beta1, v1beta2) or of an APIEndpoint.

import type { ReportedCondition } from "../../../../core/conditions.ts";
import type {
  KnownCondition,
  LoadBalancerStatus,
  NetworkStatus,
  ZoneLoadBalancerStatus,
} from "../../apis/load-balancer/api-server-load-balancer.ts";
import type { EndpointAddress } from "../model/intent.ts";
import type { RecordedDns, RecordedLeaving, RecordedLegacy } from "../model/observed.ts";

export interface EndpointStatus {
  /** Once true, always true: a broken zone only degrades. */
  readonly provisioned: boolean;
  /** In the order of the mappings; empty unless one balancer per zone is wanted or still there. */
  readonly zones: readonly ZoneLoadBalancerStatus[];
  /** In how many of the wanted zones the API answers, such as `2/3`; undefined without zones. */
  readonly zonesServed: string | undefined;
  /** The deprecated singleton: the balancer of single mode, or the mirror of the first mapping. */
  readonly single: LoadBalancerStatus | undefined;
  readonly endpoint: EndpointAddress | undefined;
  /** The cluster's own network, not the balancers'. */
  readonly network: NetworkStatus | undefined;
  readonly externalNetwork: NetworkStatus | undefined;
  /** Undefined: nobody knows yet, and what is there stays. */
  readonly failureDomains: readonly FailureDomainStatus[] | undefined;
  /** So long a balancer that was asked for, and that nobody wants any more, may still come. */
  readonly unansweredUntilMs?: number | undefined;
  /** The project and region that all of this is in. */
  readonly location?: string | undefined;
  readonly conditions: readonly ReportedCondition[];
  /** What those that are Unknown said when they were last known. */
  readonly lastKnown?: readonly KnownCondition[];
  /** What dns-records.ts must remember, by zone; the empty zone is the single balancer's. */
  readonly dns?: readonly { readonly zone: string; readonly memory: RecordedDns }[];
  /** Balancers that are to go and have left the records, for leaving.ts. */
  readonly leaving?: readonly RecordedLeaving[];
  /** The fall-back from before the zones, as long as it is there. */
  readonly legacy?: RecordedLegacy | undefined;
}

export interface FailureDomainStatus {
  readonly name: string;
  readonly controlPlane: boolean;
}
