// Services, EndpointSlices, Nodes, Pods and NetworkPolicies as far as the gateway job reads them. They are other people's objects: every field may be missing.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";

export interface ServicePortSpec {
  readonly name?: string;
  readonly protocol?: string;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
}

export interface Service extends KubeObject {
  readonly spec?: {
    readonly type?: string;
    readonly ports?: readonly ServicePortSpec[];
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly ipFamilies?: readonly string[];
    readonly ipFamilyPolicy?: string;
    readonly loadBalancerClass?: string;
    readonly loadBalancerIP?: string;
    readonly loadBalancerSourceRanges?: readonly string[];
    readonly externalTrafficPolicy?: string;
    readonly internalTrafficPolicy?: string;
    readonly healthCheckNodePort?: number;
    readonly sessionAffinity?: string;
    readonly sessionAffinityConfig?: { readonly clientIP?: { readonly timeoutSeconds?: number } };
    readonly allocateLoadBalancerNodePorts?: boolean;
    readonly publishNotReadyAddresses?: boolean;
    readonly trafficDistribution?: string;
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
  };
}

export interface SliceEndpoint {
  readonly addresses?: readonly string[];
  /** Absent or null means that nobody knows, which counts as ready. */
  readonly conditions?: {
    readonly ready?: boolean | null;
    readonly serving?: boolean | null;
    readonly terminating?: boolean | null;
  };
  readonly nodeName?: string;
}

export interface EndpointSlice extends KubeObject {
  readonly addressType?: string;
  readonly endpoints?: readonly SliceEndpoint[] | null;
  readonly ports?:
    | readonly { readonly name?: string | null; readonly protocol?: string | null; readonly port?: number | null }[]
    | null;
}

export interface Node extends KubeObject {
  readonly spec?: { readonly taints?: readonly { readonly key: string }[] };
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export interface Pod extends KubeObject {
  readonly spec?: {
    readonly hostNetwork?: boolean;
    readonly containers?: readonly {
      readonly ports?: readonly {
        readonly name?: string;
        readonly protocol?: string;
        readonly containerPort: number;
      }[];
    }[];
  };
  readonly status?: { readonly phase?: string; readonly podIPs?: readonly { readonly ip?: string }[] | null };
}

export interface NetworkPolicyPort {
  readonly protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
}

export interface NetworkPolicyRule {
  readonly from?:
    | readonly { readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] } }[]
    | null;
  readonly ports?: readonly NetworkPolicyPort[] | null;
}

export interface NetworkPolicy extends KubeObject {
  readonly spec?: {
    readonly podSelector?: LabelSelector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly NetworkPolicyRule[] | null;
  };
}

/** As Kubernetes has it: all of both. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** On a Node, whatever its value: no connections from outside. */
export const excludeNodeLabel = "node.kubernetes.io/exclude-from-external-load-balancers";
/** The cluster autoscaler's: the Node goes soon. */
export const toBeDeletedTaint = "ToBeDeletedByClusterAutoscaler";
