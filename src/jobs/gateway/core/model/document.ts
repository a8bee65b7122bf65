// What the gateways of a pool are told: every address, every forwarding, and who leads. The document is the same on all gateways of a
// pool, to the letter: because of that a connection is sent to the same endpoint whichever gateway it comes through, and survives when
// another one takes over. What differs from gateway to gateway is in local-gateway.ts.

export const protocols = ["TCP", "UDP", "SCTP"] as const;
export type Protocol = (typeof protocols)[number];

export interface GatewayDocument {
  /** Name of the GatewayPool. */
  readonly pool: string;
  readonly version: DocumentVersion;
  readonly vrrp: VrrpSettings;
  readonly groups: readonly VrrpGroup[];
  readonly addresses: readonly VirtualAddress[];
  readonly forwardings: readonly Forwarding[];
}

/** Orders documents: a leader's term first, then its count within the term. A gateway refuses a document that is older than its own. */
export interface DocumentVersion {
  readonly epoch: number;
  readonly generation: number;
}

export interface VrrpSettings {
  /** `compat`: VRRP 2 as ch-k8s-lbaas speaks it, for as long as one of the pair runs that. */
  readonly mode: "vrrp3" | "compat";
  readonly advertIntervalMs: number;
  /** Addresses that gateways speak VRRP from, by gateway. Empty: multicast. */
  readonly unicast: Readonly<Record<string, string>>;
}

/** Addresses that move from gateway to gateway together. */
export interface VrrpGroup {
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  /** 1 to 255, another for each group of a network. */
  readonly virtualRouterId: number;
  /** Gateways by name: the first that is ready leads. */
  readonly order: readonly string[];
  /**
   * Where endpoints see connections come from. They move with the group, so that answers find the gateway that leads. Several for each
   * family: one client that uses a port twice would otherwise meet itself at an endpoint. At least one is IPv4.
   */
  readonly sourceAddresses: readonly string[];
}

/** An address that clients use. */
export interface VirtualAddress {
  readonly address: string;
  readonly group: string;
}

/** What happens to connections to one port of an address. */
export interface Forwarding {
  readonly address: string;
  readonly protocol: Protocol;
  readonly port: number;
  /** `namespace/name` of the Service: for people, errors and metrics. */
  readonly service: string;
  /** Sorted by address, then port; of the address's family. Empty: `whenEmpty` counts. */
  readonly endpoints: readonly Endpoint[];
  /**
   * Which endpoint serves each bucket, as an index. A client is hashed to a bucket, so whatever keeps its endpoint keeps its
   * connections. Its length is one of `bucketCounts`; empty without endpoints.
   */
  readonly buckets: readonly number[];
  /** `client`: all connections of a client's address go to the same endpoint. */
  readonly affinity: "none" | "client";
  /** What endpoints see: an address of the group, or the client's own where gateways are the way back. */
  readonly source: "group" | "client";
  /** Who may connect, as CIDRs of the address's family. Absent: anybody. */
  readonly allowedSources?: readonly string[];
  /** What clients are told while there is no endpoint: a refusal, or nothing. */
  readonly whenEmpty: "reject" | "drop";
}

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/**
 * Each is a pair of chains on the gateways, made once. A single endpoint needs no hash. A bucket is a part of the hash's range, so a table
 * grows without moving a connection when each of its buckets is repeated in place: [0, 1] becomes [0, 0, 1, 1].
 */
export const bucketCounts = [1, 2, 4, 8, 16, 64, 256, 1_024] as const;

/** `192.0.2.10/TCP/443`: what a forwarding is known by. */
export function forwardingKey({ address, protocol, port }: Pick<Forwarding, "address" | "protocol" | "port">): string {
  return `${address}/${protocol}/${port}`;
}

/** What a gateway carries that nobody needs any more, or that was told nothing yet. */
export function emptied(document: GatewayDocument): GatewayDocument {
  return { ...document, groups: [], addresses: [], forwardings: [] };
}

export function isEmptied({ groups, addresses, forwardings }: GatewayDocument): boolean {
  return groups.length === 0 && addresses.length === 0 && forwardings.length === 0;
}

/** Negative: `a` is older. */
export function compareVersions(a: DocumentVersion, b: DocumentVersion): number {
  return a.epoch === b.epoch ? a.generation - b.generation : a.epoch - b.epoch;
}
