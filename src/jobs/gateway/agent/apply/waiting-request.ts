// The one request that waits while another is carried out. A newer document takes the place of an older one that nobody has begun with.

import type { LbaasConfig } from "../../core/lbaas/lbaas-config.ts";
import type { CarryProblem } from "../../core/model/agent-answers.ts";
import { compareVersions, type DocumentVersion, type GatewayDocument } from "../../core/model/document.ts";
import type { ApplyOutcome } from "../carried.ts";

export type ApplyRequest =
  | {
      readonly kind: "whole";
      readonly document: GatewayDocument;
      /** Parts of it that could not be read. */
      readonly unreadable?: readonly CarryProblem[];
    }
  | {
      readonly kind: "delta";
      readonly base: DocumentVersion;
      readonly version: DocumentVersion;
      readonly value: unknown;
    }
  /** From a controller that knows no versions: the last one counts. */
  | { readonly kind: "v1"; readonly config: LbaasConfig };

interface Waiting {
  readonly request: ApplyRequest;
  readonly answer: (outcome: ApplyOutcome) => void;
}

export class WaitingRequest {
  #waiting: Waiting | undefined;

  /** True: the caller has to see to it that `take` is called. */
  offer(request: ApplyRequest, answer: (outcome: ApplyOutcome) => void): boolean {
    const waiting = this.#waiting;
    if (waiting === undefined) {
      this.#waiting = { request, answer };
      return true;
    }
    const [winner, loser] = isNewer(request, waiting.request)
      ? [{ request, answer }, waiting]
      : [waiting, { request, answer }];
    // Whoever speaks v1 cannot be told that a newer one came: it gets the newer one's answer.
    const isJoined = loser.request.kind === "v1" && winner.request.kind === "v1";
    this.#waiting = isJoined ? { ...winner, answer: both(winner.answer, loser.answer) } : winner;
    if (!isJoined) loser.answer(superseded);
    return false;
  }

  take(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }
}

const superseded: ApplyOutcome = {
  kind: "refused",
  why: "superseded",
  message: "a newer document came before this one was begun with",
};

function isNewer(request: ApplyRequest, waiting: ApplyRequest): boolean {
  if (waiting.kind === "v1") return true;
  if (request.kind === "v1") return false;
  return compareVersions(versionOf(request), versionOf(waiting)) > 0;
}

function versionOf(request: Exclude<ApplyRequest, { kind: "v1" }>): DocumentVersion {
  return request.kind === "whole" ? request.document.version : request.version;
}

function both(one: (outcome: ApplyOutcome) => void, other: (outcome: ApplyOutcome) => void) {
  return (outcome: ApplyOutcome): void => {
    one(outcome);
    other(outcome);
  };
}
