// The kernel's table of connections, as far as a gateway's agent clears it.

export interface Conntrack {
  /** Forgets the connections to these addresses and ports. None there is no failure. */
  forget(connections: readonly ConnectionsTo[]): Promise<void>;
}

export interface ConnectionsTo {
  /** What clients connected to. */
  readonly address: string;
  readonly protocol: "TCP" | "UDP" | "SCTP";
  readonly port: number;
  /** Only those to this endpoint. */
  readonly endpoint?: { readonly address: string; readonly port: number };
}
