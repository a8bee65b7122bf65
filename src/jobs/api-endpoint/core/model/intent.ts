// What a user asked for, whichever front door it came through: an OpenStackCluster (v1beta1 or v1beta2) or an APIEndpoint. front-doors/
// make it; everything else in core knows nothing but it.

import type { ObjectRef } from "../../../../apis/kube/kube-object.ts";
import type { TagRecord } from "../../apis/tag-record.ts";
import { type Port, portsBeside } from "./port.ts";

/** `id`: names one. `filter`: must match exactly one. */
export type Selector<Filter> =
  | { readonly id: string; readonly filter?: undefined }
  | { readonly filter: Filter; readonly id?: undefined };

export interface TagsFilter {
  readonly tags?: readonly string[];
  readonly tagsAny?: readonly string[];
  readonly notTags?: readonly string[];
  readonly notTagsAny?: readonly string[];
}

export interface NetworkFilter extends TagsFilter {
  readonly name?: string;
  readonly description?: string;
  readonly projectID?: string;
}

export interface SubnetFilter extends TagsFilter {
  readonly name?: string;
  readonly description?: string;
  readonly projectID?: string;
  readonly ipVersion?: 4 | 6;
  readonly gatewayIP?: string;
  readonly cidr?: string;
  readonly ipv6AddressMode?: string;
  readonly ipv6RAMode?: string;
}

export type NetworkSelector = Selector<NetworkFilter>;
export type SubnetSelector = Selector<SubnetFilter>;

export interface ZoneMapping {
  readonly zone: string;
  readonly subnet: SubnetSelector;
}

export interface MonitorIntent {
  readonly delaySeconds: number;
  readonly timeoutSeconds: number;
  readonly maxRetries: number;
  readonly maxRetriesDown: number;
}

export interface EndpointAddress {
  readonly host: string;
  /** 0: not set. */
  readonly port: number;
}

/** Explicit consent for what is otherwise refused; each is an annotation. */
export interface Consents {
  /** Rebuild balancers in ERROR although no other zone is healthy: one after the other, the next when the one before is back. */
  readonly repair: boolean;
  /** Rebuild those of these zones, though another balancer is still away. */
  readonly repairZones?: readonly string[];
  /** Delete the legacy balancer that was kept as a fall-back. */
  readonly removeLegacy: boolean;
  /** Adopt a legacy balancer that only name and description speak for. */
  readonly adoptLegacy: boolean;
  /** `mainstay.dev/min-zones`: so many zones are enough for the first `provisioned`. */
  readonly minZones: number | undefined;
}

export type Door = "OpenStackCluster" | "APIEndpoint";

/** Which balancers are wanted. */
export type BalancerMode =
  | { readonly mode: "none" }
  /** One for the whole cluster, as CAPO has always made it. */
  | {
      readonly mode: "single";
      /** Octavia's zone. */
      readonly availabilityZone: string | undefined;
      /** The first counts. */
      readonly subnets: readonly SubnetSelector[];
    }
  /** One for each mapping, in the order of the spec: the first is mirrored. */
  | { readonly mode: "zones"; readonly zones: readonly ZoneMapping[] };

export type EndpointIntent = EndpointSettings & BalancerMode;

/** Empty unless one balancer for each zone is wanted. */
export function zonesOf(intent: BalancerMode): readonly ZoneMapping[] {
  return intent.mode === "zones" ? intent.zones : [];
}

/** All that are to be served, the API port first, in whichever order the others are written. */
export function portsOf({ apiPort, additionalPorts }: EndpointSettings): readonly Port[] {
  return [apiPort, ...portsBeside(apiPort, additionalPorts)];
}

/** What is asked for whichever balancers are wanted. */
export interface EndpointSettings {
  readonly door: Door;
  /** The object that asked. */
  readonly object: ObjectRef;
  /** The Cluster API cluster: names are made of it. */
  readonly cluster: { readonly namespace: string; readonly name: string };
  /** Being deleted is wanting nothing. */
  readonly deleting: boolean;
  /** Absent until it was written to the object's annotation; nothing is created before. It survives a move to another management cluster, which a uid does not. */
  readonly ownerId: string | undefined;
  /** The project and region that everything is in, as the annotation says; absent until anything is made. See location.ts. */
  readonly location?: string | undefined;
  /** Whether machines stand behind the balancers of all zones. Also of zones that are not wanted any more, until their balancers go. */
  readonly crossZone: boolean;
  /** As the user set it, or as we wrote it in single mode. */
  readonly endpoint: EndpointAddress | undefined;
  /** The Cluster's own: what its kubeconfigs say, and so what decides whether a cluster can move to zones. */
  readonly clusterEndpoint?: EndpointAddress | undefined;
  readonly apiPort: Port;
  /** Without the API port, each once, ascending. */
  readonly additionalPorts: readonly Port[];
  /** As written, not yet canonical. */
  readonly allowedCidrs: readonly string[];
  readonly monitor: MonitorIntent;
  readonly provider: string | undefined;
  readonly flavor: string | undefined;
  readonly floatingIp: { readonly enabled: boolean; readonly address: string | undefined };
  readonly fixedIp: string | undefined;
  /** The balancers' network; absent: the cluster's. */
  readonly network: NetworkSelector | undefined;
  readonly clusterNetwork: NetworkSelector | undefined;
  readonly clusterSubnets: readonly SubnetSelector[];
  readonly externalNetwork: NetworkSelector | undefined;
  readonly externalNetworkDisabled: boolean;
  /** The user's own, put on everything beside ours. */
  readonly tags: readonly string[];
  /** Those that no service would take, in words. */
  readonly tagsLeftOut?: readonly string[];
  /** Which of them are in the cloud, as the annotation says; absent: none that anybody wrote down. See core/tags. */
  readonly tagRecord?: TagRecord;
  readonly idleTimeoutMs: number;
  readonly consents: Consents;
  /** `controlPlaneAvailabilityZones`; without a mapping they decide which failure domains take control planes. */
  readonly controlPlaneZones?: readonly string[];
  /** `controlPlaneOmitAvailabilityZone`. */
  readonly controlPlaneOmitsZone?: boolean;
  /** Write a DNSEndpoint for external-dns. */
  readonly publishDns: boolean;
}
