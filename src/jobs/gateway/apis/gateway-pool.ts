// GatewayPool: gateways that carry addresses of Services, where these addresses come from, and which Services it serves. It belongs to no
// namespace: addresses, virtual router ids and gateways are shared by all namespaces, and whoever may edit it decides for all of them.

import type { Condition, Kind, KubeObject } from "../../../apis/kube/kube-object.ts";

/** Where connections are sent: to Pods, to a port of Nodes, or to the Service's own address. */
export const backendLayers = ["Pod", "NodePort", "ClusterIP"] as const;
export type BackendLayer = (typeof backendLayers)[number];

/**
 * Who may share an address, each with ports of its own. `ByPort`: Services of all namespaces, as ch-k8s-lbaas does it. `WithinNamespace`:
 * those of one namespace. `ByKey`: only those that name the same sharing key. `Never`: each Service has addresses of its own.
 */
export const sharingPolicies = ["ByPort", "WithinNamespace", "ByKey", "Never"] as const;
export type SharingPolicy = (typeof sharingPolicies)[number];

export const vrrpModes = ["VRRP3", "Compat"] as const;
export const clientAddressModes = ["Replaced", "Preserved"] as const;

export interface SecretRef {
  readonly namespace: string;
  readonly name: string;
}

export interface GatewaySpec {
  /** As its agent calls itself. */
  readonly name: string;
  /** Of its agent. */
  readonly url: string;
  /** Neutron ports that may carry addresses of Services: outside, where clients come from, and inside, where endpoints are. */
  readonly externalPortID?: string;
  readonly internalPortID?: string;
  /** `tls.crt`, `tls.key` and `ca.crt` for client certificates, or `shared-secret` for signed tokens. */
  readonly credentialsRef?: SecretRef;
  /** Where it speaks VRRP from. Without it on all gateways, VRRP is multicast. */
  readonly vrrpAddress?: string;
}

/** A pool belongs to no namespace, so that a Secret is named with its own. */
export interface PoolIdentityRef {
  readonly type?: "Secret" | "ClusterIdentity";
  readonly namespace?: string;
  readonly name: string;
  readonly cloudName: string;
  readonly region?: string;
}

export interface NeutronAddresses {
  readonly identityRef?: PoolIdentityRef;
  readonly subnets?: { readonly ipv4?: { readonly id: string }; readonly ipv6?: { readonly id: string } };
  /** Clients use floating IPs of this network. Absent: the addresses of the subnets themselves. */
  readonly floatingIPs?: { readonly networkID: string };
}

/** Entries are addresses (`192.0.2.7`), ranges (`192.0.2.10-192.0.2.20`) or prefixes (`192.0.2.32/28`). */
export interface StaticAddresses {
  readonly ipv4?: readonly string[];
  readonly ipv6?: readonly string[];
}

/** Exactly one of the two. */
export interface AddressSource {
  readonly neutron?: NeutronAddresses;
  readonly static?: StaticAddresses;
}

export interface VrrpGroupSpec {
  readonly name: string;
  /** Absent: the base and its place in the list. */
  readonly virtualRouterID?: number;
  /** Where endpoints see connections come from; of each family that the pool has, and at least one of IPv4. */
  readonly sourceAddresses?: readonly string[];
  /** Who leads, by name. Gateways that are not named follow. Absent: spread over the gateways. */
  readonly order?: readonly string[];
}

export interface VrrpSpec {
  readonly mode?: (typeof vrrpModes)[number];
  readonly advertIntervalMs?: number;
  readonly virtualRouterIDBase: number;
  readonly groups?: readonly VrrpGroupSpec[];
}

/** They hold back what is new, and take nothing from a Service that has it. */
export interface PoolLimits {
  /** How many addresses may be in use. */
  readonly addresses?: number;
  readonly servicesPerNamespace?: number;
}

export interface GatewayPoolSpec {
  readonly gateways?: readonly GatewaySpec[];
  readonly addresses?: AddressSource;
  readonly backendLayer?: BackendLayer;
  readonly sharing?: SharingPolicy;
  /** What endpoints see. `Preserved` needs gateways that are the way back to clients, and a single group. */
  readonly clientAddress?: (typeof clientAddressModes)[number];
  /** What clients are told while a Service has no endpoint: a refusal, or nothing. */
  readonly withoutEndpoints?: "Reject" | "Drop";
  readonly vrrp?: VrrpSpec;
  readonly loadBalancerClass?: string;
  /** It serves Services without a class, too. */
  readonly isDefault?: boolean;
  readonly limits?: PoolLimits;
  /** Marks what is ours in Neutron. Absent: the uid of the namespace kube-system. */
  readonly clusterID?: string;
}

export interface DocumentVersionStatus {
  readonly epoch: number;
  readonly generation: number;
}

export interface GatewayStatus {
  readonly name: string;
  /** Absent where nobody could tell yet. */
  readonly reachable?: boolean;
  readonly ready?: boolean;
  /** Why it is not ready or not reachable. */
  readonly message?: string;
  readonly carries?: DocumentVersionStatus;
  readonly groups?: readonly { readonly name: string; readonly role: string; readonly since?: string }[];
  /** What its agent is and can do; `v1` is today's ch-k8s-lbaas. */
  readonly capability?: {
    readonly api?: "v1" | "v2";
    readonly agent?: string;
    readonly nft?: string;
    readonly keepalived?: string;
    readonly kernel?: string;
    readonly features?: readonly string[];
  };
}

export interface AddressStatus {
  readonly address: string;
  /** What clients use, where it is another: a floating IP. */
  readonly publicAddress?: string;
  readonly portID?: string;
  readonly group?: string;
  readonly services: number;
}

export interface TroubledService {
  /** `namespace/name`. */
  readonly service: string;
  readonly reason: string;
  readonly message: string;
}

export interface GatewayPoolStatus {
  readonly observedGeneration?: number;
  readonly clusterID?: string;
  readonly version?: DocumentVersionStatus;
  /** Such as `2/3`. */
  readonly gatewaysReady?: string;
  readonly gateways?: readonly GatewayStatus[];
  /** `free` is absent where the cloud decides. */
  readonly addresses?: { readonly inUse: number; readonly free?: number; readonly quarantined?: number };
  /** The first `maxAddressesShown`. */
  readonly addressesInUse?: readonly AddressStatus[];
  /** Those that a gateway which does not answer may still carry, the first `maxAddressesShown`: nobody gets them, also after a restart. */
  readonly quarantinedAddresses?: readonly string[];
  readonly services?: { readonly served: number; readonly refused: number };
  /** Services that do not get what they ask for, the first `maxTroublesShown` by name. */
  readonly troubledServices?: readonly TroubledService[];
  readonly conditions?: readonly Condition[];
}

/** An object of Kubernetes has to fit into about a megabyte. */
export const maxAddressesShown = 1_000;
/** People look into the first few, and the number says how many there are. */
export const maxTroublesShown = 20;

export interface GatewayPool extends KubeObject {
  readonly spec?: GatewayPoolSpec;
  readonly status?: GatewayPoolStatus;
}

export const gatewayPools: Kind<GatewayPool> = {
  group: "mainstay.dev",
  version: "v1alpha1",
  kind: "GatewayPool",
  plural: "gatewaypools",
  namespaced: false,
  shortNames: ["gwp"],
};

export const defaultAdvertIntervalMs = 100;
/** VRRP 2 counts whole seconds. */
export const compatAdvertIntervalMs = 1_000;
/** VRRP 3 counts hundredths of a second, in twelve bits. */
export const advertIntervalRangeMs = { lowest: 10, highest: 40_950 } as const;
export const maxVirtualRouterId = 255;

export function advertIntervalOf({ mode, advertIntervalMs }: VrrpSpec): number {
  return advertIntervalMs ?? (mode === "Compat" ? compatAdvertIntervalMs : defaultAdvertIntervalMs);
}

export function virtualRouterIdOf(vrrp: VrrpSpec, place: number): number {
  return vrrp.groups?.[place]?.virtualRouterID ?? vrrp.virtualRouterIDBase + place;
}
