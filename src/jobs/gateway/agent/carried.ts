// What a gateway carries, and on whose behalf.

import type { CarryProblem } from "../core/model/agent-answers.ts";
import type { DocumentVersion, GatewayDocument } from "../core/model/document.ts";

export interface Carried {
  /** As the controller sent it. */
  readonly asked: GatewayDocument;
  /** What of it was good: the rules say this. */
  readonly good: GatewayDocument;
  readonly problems: readonly CarryProblem[];
  /** Once v2 was used, v1 is refused: two controllers would undo each other's work. */
  readonly api: "v1" | "v2";
}

export type ApplyOutcome =
  | { readonly kind: "applied"; readonly carries: DocumentVersion; readonly problems: readonly CarryProblem[] }
  | {
      readonly kind: "refused";
      readonly why: Refusal;
      readonly message: string;
      readonly carries?: DocumentVersion;
    }
  | {
      readonly kind: "failed";
      readonly part: CarryPart;
      readonly message: string;
      readonly carries?: DocumentVersion;
    };

export type Refusal = "invalid" | "older" | "other-content" | "wrong-base" | "superseded" | "v2-in-use" | "stopped";
export type CarryPart = "nftables" | "keepalived";
