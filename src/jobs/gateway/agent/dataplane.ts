// What carries packets, as the agent sees it: documents in, scripts out. nftables is the first; another kind of rules (IPVS, eBPF) would
// be another of these, and the agent would not know.

import type { Nft, NftFamily } from "../../../ports/nft.ts";
import type { CarryProblem } from "../core/model/agent-answers.ts";
import type { GatewayDocument } from "../core/model/document.ts";
import type { LocalGateway } from "../core/model/local-gateway.ts";

export interface Dataplane {
  /** Where its rules are: without one of these tables they are gone. */
  readonly tables: readonly { readonly family: NftFamily; readonly name: string }[];
  /** A document from somewhere outside, with the parts of it that cannot be read; or every problem that keeps it from being one. */
  decode(value: unknown): Decoded;
  /** What of a document can be carried. A part that cannot stays as it was before, or is left out. */
  check(document: GatewayDocument, local: LocalGateway, earlier: Earlier): CheckedDocument;
  /** Replaces whatever rules of ours there are. */
  renderRuleset(document: GatewayDocument, local: LocalGateway): string;
  /** Absent: it counts nothing. Rejects where the rules are not there. */
  readTraffic?(nft: Nft): Promise<readonly ForwardingTraffic[]>;
  /** Undefined: the rules are the same. */
  renderChange(before: GatewayDocument, after: GatewayDocument, local: LocalGateway): string | undefined;
}

/** Since its rules were loaded or last changed. */
export interface ForwardingTraffic {
  /** As `forwardingKey` has it. */
  readonly key: string;
  /** That began here. */
  readonly connections: number;
  /** From clients. */
  readonly received: { readonly packets: number; readonly bytes: number };
  readonly sent: { readonly packets: number; readonly bytes: number };
}

export type Decoded =
  | { readonly kind: "document"; readonly document: GatewayDocument; readonly unreadable: readonly CarryProblem[] }
  | { readonly kind: "malformed"; readonly problems: readonly string[] };

export interface Earlier {
  /** What was good before. */
  readonly previous?: GatewayDocument;
  /** What of the new document could not be read. */
  readonly unreadable?: readonly CarryProblem[];
}

export interface CheckedDocument {
  readonly good: GatewayDocument;
  readonly problems: readonly CarryProblem[];
}
