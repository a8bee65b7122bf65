// APIEndpoint: the second door to the same job, for clusters whose OpenStackCluster belongs to an untouched CAPO. It stands beside
// the Cluster it names, in its namespace, and carries the same block, the same credentials and the same status.

import type { Condition, Kind, KubeObject } from "../../../../apis/kube/kube-object.ts";
import type {
  ApiServerLoadBalancer,
  ControlPlaneEndpoint,
  IdentityRef,
  KnownCondition,
  LeavingLoadBalancer,
  LegacyLoadBalancer,
  LoadBalancerStatus,
  NetworkParam,
  NetworkStatus,
  SubnetParam,
  ZoneLoadBalancerStatus,
} from "../load-balancer/api-server-load-balancer.ts";

export interface ApiEndpointSpec {
  readonly clusterRef?: { readonly name: string };
  readonly identityRef?: IdentityRef;
  readonly controlPlaneEndpoint?: ControlPlaneEndpoint;
  readonly apiServerLoadBalancer?: ApiServerLoadBalancer;
  readonly floatingIP?: { readonly enabled?: boolean; readonly address?: string };
  readonly fixedIP?: string;
  readonly network?: NetworkParam;
  readonly subnets?: readonly SubnetParam[];
  readonly externalNetwork?: NetworkParam;
  readonly tags?: readonly string[];
  /** Write the endpoint into CAPO's OpenStackCluster, which waits for it, once the balancers are ready. */
  readonly openGate?: boolean;
  readonly publishDNS?: boolean;
}

export interface ApiEndpointStatus {
  readonly initialization?: { readonly provisioned?: boolean };
  readonly controlPlaneEndpoint?: ControlPlaneEndpoint;
  /** In how many of the wanted zones the API answers, such as `2/3`; `?/3` while nobody can tell. */
  readonly zonesServed?: string;
  readonly apiServerLoadBalancers?: readonly ZoneLoadBalancerStatus[];
  readonly apiServerLoadBalancer?: LoadBalancerStatus;
  readonly leavingLoadBalancers?: readonly LeavingLoadBalancer[];
  readonly legacyLoadBalancer?: LegacyLoadBalancer;
  /** So long a balancer that was asked for, and that nobody wants any more, may still come. */
  readonly unansweredUntil?: string;
  /** `<project id>/<region>` that all of this is in. */
  readonly project?: string;
  readonly network?: NetworkStatus;
  readonly externalNetwork?: NetworkStatus;
  readonly failureDomains?: readonly { readonly name: string; readonly controlPlane?: boolean }[];
  readonly conditions?: readonly Condition[];
  /** What those that are Unknown said when they were last known. */
  readonly lastKnownConditions?: readonly KnownCondition[];
}

export interface ApiEndpoint extends KubeObject {
  readonly spec?: ApiEndpointSpec;
  readonly status?: ApiEndpointStatus;
}

export const apiEndpoints: Kind<ApiEndpoint> = {
  group: "mainstay.dev",
  version: "v1alpha1",
  kind: "APIEndpoint",
  plural: "apiendpoints",
  shortNames: ["apie"],
  namespaced: true,
};
