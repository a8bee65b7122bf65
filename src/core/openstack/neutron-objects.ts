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
  readonly macAddress: string;
  readonly fixedIps: readonly FixedIp[];
  /** What it may send from and receive for beside its own address, in no order. */
  readonly allowedAddressPairs: readonly AddressPair[];
  /** Absent: a Neutron that cannot switch it off, or on. One that has none takes no address pairs and needs none. */
  readonly hasPortSecurity?: boolean;
  /** As Neutron words it. A port that nothing is plugged into stays DOWN, which is no fault. */
  readonly status: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly projectId: ProjectId;
  /** Grows with every change, whoever makes it, tags included. Absent: a Neutron that counts none. */
  readonly revisionNumber?: number;
}

export interface FixedIp {
  readonly subnetId: SubnetId;
  readonly address: string;
}

export interface AddressPair {
  /** An address or a range, written as whoever set it wrote it. */
  readonly address: string;
  /** Neutron always says it. Absent in a change: the port's own. */
  readonly macAddress?: string;
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
  /** Grows with every change, whoever makes it, tags included. Absent: a Neutron that counts none. */
  readonly revisionNumber?: number;
}

/** What a floating IP was like when it was decided what to do with it. */
export type FloatingIpSeen = Pick<FloatingIp, "portId" | "revisionNumber">;

/** The same of a port. */
export type PortSeen = Pick<
  Port,
  "name" | "description" | "deviceId" | "deviceOwner" | "fixedIps" | "allowedAddressPairs" | "tags" | "revisionNumber"
>;

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

/** As `FloatingIpQuery`. */
export interface PortQuery {
  readonly networkId?: NetworkId;
  readonly ids?: readonly PortId[];
  readonly deviceIds?: readonly string[];
  readonly descriptions?: readonly string[];
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

export interface CreatePort {
  readonly networkId: NetworkId;
  readonly subnetId: SubnetId;
  /** Absent: any free one. Forbidden on a network of another project's. */
  readonly address?: string;
  readonly name: string;
  /** These two are its first marks of ownership: every Neutron takes them in the call that makes the port, and finds it by them. */
  readonly description: string;
  readonly deviceId: string;
  /** Set in the same call where Neutron lists `tag-ports-during-bulk-creation`. Elsewhere the new port has none: see `replaceTags`. */
  readonly tags: readonly string[];
  /** False switches it off, where Neutron has it. Either is Forbidden on a network of another project's; absent never is. */
  readonly hasPortSecurity?: boolean;
}

export interface PortChange {
  readonly name?: string;
  readonly description?: string;
  /** In the place of all it has. */
  readonly allowedAddressPairs?: readonly AddressPair[];
}

export type TaggedResource = "floatingips" | "ports" | "networks" | "subnets" | "routers";
