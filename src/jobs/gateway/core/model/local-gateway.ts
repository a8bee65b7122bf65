// What a gateway knows of itself and no document says: its name, its interfaces, and what the operator's own firewall expects.

export interface LocalGateway {
  /** As the GatewayPool names it. */
  readonly name: string;
  /** Where clients come from, and where addresses of Services are. */
  readonly externalInterface: string;
  /** Where endpoints are; may be the same. */
  readonly internalInterface: string;
  /** Addresses that are this gateway's alone and never move. Not known: nothing is refused on their behalf. */
  readonly ownAddresses: readonly string[];
  /** Connections of ours bear these bits in their mark, and no other bit is touched: the operator's firewall may go by them. */
  readonly connectionMark: { readonly bits: number; readonly mask: number };
  /** The operator's chain in which forwarded packets of ours have to be accepted, because its policy drops them. */
  readonly acceptIn?: { readonly family: "ip" | "ip6" | "inet"; readonly table: string; readonly chain: string };
}
