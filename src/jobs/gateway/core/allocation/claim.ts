// What a Service asks of a pool's addresses, what the pool has, and what is decided.

import type { IpFamily } from "../../../../core/net/ip.ts";
import type { SharingPolicy } from "../../apis/gateway-pool.ts";
import type { Protocol } from "../model/document.ts";
import type { AddressRange } from "../pools/address-ranges.ts";

export interface ServicePort {
  readonly protocol: Protocol;
  readonly port: number;
}

export interface AddressClaim {
  /** `namespace/name`. */
  readonly service: string;
  readonly namespace: string;
  readonly uid: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly ports: readonly ServicePort[];
  /** In the Service's order. */
  readonly families: readonly IpFamily[];
  /** False: one of the families is enough. */
  readonly needsAllFamilies: boolean;
  /** In one spelling; of each family at most one. */
  readonly requested: readonly string[];
  /** Where its addresses are recorded: ids of Neutron ports, or addresses. */
  readonly recorded: readonly string[];
  /** Addresses that were shown to clients: they speak for it where somebody took the record away. */
  readonly published: readonly string[];
  readonly sharingKey?: string;
  readonly isDedicated: boolean;
}

/** An address that is ours already. */
export interface KnownAddress {
  /** Of its Neutron port; of a static address the address itself. */
  readonly id: string;
  /** On the gateways, in one spelling. */
  readonly address: string;
  /** What clients use, where it is another: a floating IP. */
  readonly publicAddress?: string;
}

export type AddressSupply =
  | { readonly kind: "static"; readonly ranges: readonly AddressRange[] }
  /** `known` are all ports that are ours, used or not. What could not be read must not look like nothing. */
  | { readonly kind: "neutron"; readonly known: readonly KnownAddress[]; readonly subnets: readonly AddressRange[] };

export interface AllocationInput {
  readonly supply: AddressSupply;
  readonly sharing: SharingPolicy;
  readonly maxAddresses?: number;
  readonly maxServicesPerNamespace?: number;
  readonly claims: readonly AddressClaim[];
  /** Which Service gateways carry each forwarding for, by forwarding key: it has what it has. */
  readonly carriedBy?: ReadonlyMap<string, string>;
  /** A gateway may still carry them for somebody else: nobody new gets them. */
  readonly quarantined?: ReadonlySet<string>;
  /** Never for Services: source addresses of groups, gateways' own. */
  readonly reserved?: ReadonlySet<string>;
}

/** An address that is there, or one that has to be made first: `slot` names it until then, for all Services that will share it. */
export type Place =
  | { readonly kind: "known"; readonly address: KnownAddress }
  | { readonly kind: "new"; readonly slot: string; readonly family: IpFamily; readonly requested?: string };

export interface Assignment {
  readonly service: string;
  readonly family: IpFamily;
  readonly place: Place;
  /** It leaves this address, and has it until the other one works. */
  readonly from?: KnownAddress;
}

export type RefusalWord =
  | "PoolExhausted"
  | "FamilyNotInPool"
  | "AddressLimitReached"
  | "NamespaceLimitReached"
  | "RequestedAddressTaken"
  | "RequestedAddressOutsidePool"
  | "RequestedFamilyNotAsked";

/** The Service does not get what it asks for; nobody else suffers. */
export interface AddressRefusal {
  readonly service: string;
  readonly why: RefusalWord;
  readonly message: string;
  readonly hint: string;
}

/** Something happened that its people should know. */
export interface AddressNotice {
  readonly service: string;
  readonly why: "AddressLost" | "RecordUnknown" | "KeptAgainstPolicy" | "FamilyLeftOut";
  readonly message: string;
}

export interface Allocation {
  /** By Service, then family. */
  readonly assignments: readonly Assignment[];
  readonly refusals: readonly AddressRefusal[];
  readonly notices: readonly AddressNotice[];
}

export function portKey({ protocol, port }: ServicePort): string {
  return `${protocol}/${port}`;
}

/** The oldest first; age is no secret and nobody can change it. */
export function byAge(a: AddressClaim, b: AddressClaim): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  if (a.uid !== b.uid) return a.uid < b.uid ? -1 : 1;
  return a.service < b.service ? -1 : a.service > b.service ? 1 : 0;
}
