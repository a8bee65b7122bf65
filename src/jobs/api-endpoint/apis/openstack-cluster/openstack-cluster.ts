// OpenStackCluster as Mainstay reads and writes it. v1beta1 is the seed's API and the stored one; v1beta2 regroups the same fields
// (see openstack-cluster-conversion.ts). Fields that are not here stay on the object untouched.

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

export interface OpenStackClusterSpec {
  readonly identityRef?: IdentityRef;
  readonly controlPlaneEndpoint?: ControlPlaneEndpoint;
  readonly apiServerLoadBalancer?: ApiServerLoadBalancer;
  readonly disableAPIServerFloatingIP?: boolean;
  readonly apiServerFloatingIP?: string;
  readonly apiServerFixedIP?: string;
  readonly apiServerPort?: number;
  readonly network?: NetworkParam;
  readonly subnets?: readonly SubnetParam[];
  readonly primarySubnet?: SubnetParam;
  readonly managedSubnets?: readonly unknown[];
  readonly externalNetwork?: NetworkParam;
  readonly disableExternalNetwork?: boolean;
  readonly tags?: readonly string[];
  readonly controlPlaneAvailabilityZones?: readonly string[];
  readonly controlPlaneOmitAvailabilityZone?: boolean;
}

export interface OpenStackClusterStatus {
  readonly ready?: boolean;
  readonly initialization?: { readonly provisioned?: boolean };
  /** In how many of the wanted zones the API answers, such as `2/3`; `?/3` while nobody can tell. */
  readonly zonesServed?: string;
  readonly apiServerLoadBalancers?: readonly ZoneLoadBalancerStatus[];
  /** Deprecated: with several zones it mirrors the first mapping. */
  readonly apiServerLoadBalancer?: LoadBalancerStatus;
  readonly leavingLoadBalancers?: readonly LeavingLoadBalancer[];
  readonly legacyLoadBalancer?: LegacyLoadBalancer;
  /** So long a balancer that was asked for, and that nobody wants any more, may still come. */
  readonly unansweredUntil?: string;
  /** `<project id>/<region>` that all of this is in. */
  readonly project?: string;
  readonly network?: NetworkStatus;
  readonly externalNetwork?: NetworkStatus;
  readonly failureDomains?: Readonly<Record<string, { readonly controlPlane?: boolean }>>;
  readonly conditions?: readonly Condition[];
  /** What those that are Unknown said when they were last known. */
  readonly lastKnownConditions?: readonly KnownCondition[];
}

export interface OpenStackCluster extends KubeObject {
  readonly spec?: OpenStackClusterSpec;
  readonly status?: OpenStackClusterStatus;
}

/** The parts of v1beta2 that have another name or shape. */
export interface OpenStackClusterV1beta2 extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>> & {
    readonly apiServer?: {
      readonly managedLoadBalancer?: ApiServerLoadBalancer;
      readonly enableFloatingIP?: boolean;
      readonly floatingIP?: string;
      readonly fixedIP?: string;
      readonly port?: number;
    };
    readonly enableExternalNetwork?: boolean;
  };
  readonly status?: Readonly<Record<string, unknown>> & {
    readonly apiServerManagedLoadBalancers?: readonly ZoneLoadBalancerStatus[];
    readonly apiServerManagedLoadBalancer?: LoadBalancerStatus;
    readonly failureDomains?: readonly { readonly name: string; readonly controlPlane?: boolean }[];
  };
}

export const infrastructureGroup = "infrastructure.cluster.x-k8s.io";
/** CAPO's own. It removes it only from objects that nobody else manages. */
export const capoFinalizer = `openstackcluster.${infrastructureGroup}`;

const names = {
  group: infrastructureGroup,
  kind: "OpenStackCluster",
  plural: "openstackclusters",
  shortNames: ["osc"],
  namespaced: true,
};

export const openStackClusters: Kind<OpenStackCluster> = { ...names, version: "v1beta1" };
export const openStackClustersV1beta2: Kind<OpenStackClusterV1beta2> = { ...names, version: "v1beta2" };
