// Neutron's objects and queries, as Mainstay uses them. Pure data; the calls are in ports/neutron.ts.

import type { FloatingIpId, NetworkId, PortId, ProjectId, RouterId, SubnetId } from "./ids.ts";

export interface Network {
  readonly id: NetworkId;
  readonly name: string;
  readonly tags: readonly string[];
  readonly subnetIds: readonly SubnetId[];
  readonly external: boolean;
  readonly projectId: ProjectId;
}

export interface Subnet {
  readonly id: SubnetId;
  readonly name: string;
  readonly networkId: NetworkId;
  readonly cidr: string;
  readonly ipVersion: 4 | 6;
  readonly gatewayIp?: string;
  readonly tags: readonly string[];
  readonly projectId: ProjectId;
}

export interface Port {
  readonly id: PortId;
  readonly name: string;
  readonly networkId: NetworkId;
  readonly deviceId: string;
  readonly deviceOwner: string;
  readonly fixedIps: readonly FixedIp[];
  readonly tags: readonly string[];
}

export interface FixedIp {
  readonly subnetId: SubnetId;
  readonly address: string;
}

export interface Router {
  readonly id: RouterId;
  readonly name: string;
  readonly externalAddresses: readonly string[];
  readonly tags: readonly string[];
}

export interface FloatingIp {
  readonly id: FloatingIpId;
  readonly address: string;
  readonly floatingNetworkId: NetworkId;
  /** Absent: attached to nothing. Association is what counts: without an L3 agent `status` stays DOWN for ever. */
  readonly portId?: PortId;
  /** Neutron could not set it up: nobody comes through. The one word of its `status` that says something wherever it is said. */
  readonly isInError?: true;
  readonly fixedAddress?: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly projectId: ProjectId;
}

export interface TagFilter {
  readonly tags?: readonly string[];
  readonly tagsAny?: readonly string[];
  readonly notTags?: readonly string[];
  readonly notTagsAny?: readonly string[];
}

export interface NetworkQuery extends TagFilter {
  readonly name?: string;
  readonly description?: string;
  readonly projectId?: ProjectId;
  readonly external?: boolean;
}

export interface SubnetQuery extends TagFilter {
  readonly name?: string;
  readonly description?: string;
  readonly projectId?: ProjectId;
  readonly networkId?: NetworkId;
  readonly ipVersion?: 4 | 6;
  readonly gatewayIp?: string;
  readonly cidr?: string;
  readonly ipv6AddressMode?: string;
  readonly ipv6RaMode?: string;
}

/** Of several values in one part any will do; all given parts must fit. An empty list of values is an empty answer. */
export interface FloatingIpQuery {
  readonly portIds?: readonly PortId[];
  readonly descriptions?: readonly string[];
  readonly addresses?: readonly string[];
  readonly tags?: readonly string[];
}

export interface PortQuery {
  readonly networkId?: NetworkId;
  readonly deviceIds?: readonly string[];
  readonly deviceOwner?: string;
  readonly tags?: readonly string[];
}

export interface CreateFloatingIp {
  readonly floatingNetworkId: NetworkId;
  /** Created attached, in one call: nothing can leak in between. */
  readonly portId?: PortId;
  /** Its first mark of ownership: POST takes no tags. */
  readonly description: string;
  /** Mostly for admins: others get Forbidden. */
  readonly address?: string;
}

export type TaggedResource = "floatingips" | "ports" | "networks" | "subnets" | "routers";
