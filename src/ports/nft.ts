// nftables as a gateway's agent uses it: whole scripts, each one transaction. Nothing is decided by a listing: it takes seconds with many
// elements. Only counters are listed, for metrics.

export interface Nft {
  /** All of the script or nothing of it. Rejects with what nft said. */
  apply(script: string): Promise<void>;
  /** Whether the kernel would take the script now; changes nothing. Costs as much as applying it. */
  check(script: string): Promise<void>;
  /** Cheap enough to be asked every few seconds, however many elements there are. */
  hasTable(family: NftFamily, name: string): Promise<boolean>;
  /** What the counters of a set or map of ours say. Reads all elements of the table: not for every few seconds. */
  counters(of: CountedSet): Promise<readonly ElementCount[]>;
  version(): Promise<string>;
}

export interface CountedSet {
  readonly family: NftFamily;
  readonly table: string;
  readonly kind: "set" | "map";
  readonly name: string;
}

export interface ElementCount {
  /** Of its key, as texts: `192.0.2.10`, `tcp`, `443`. */
  readonly parts: readonly string[];
  readonly packets: number;
  readonly bytes: number;
}

export type NftFamily = "ip" | "ip6" | "inet";
