// What went wrong between the dashboard and the server, and the one function that puts it into words: what happened, then what to do.
// No other file of the dashboard words an error.

import type { ApiError } from "../../server/contract.ts";
import { asSentence } from "./as-sentence.ts";

export type Failure =
  /** No answer at all: the server or the network is down. */
  | { readonly kind: "unreachable" }
  /** An answer that is not one of ours. */
  | { readonly kind: "garbled"; readonly status: number }
  | { readonly kind: "answered"; readonly status: number; readonly error: ApiError };

export interface FailureWords {
  readonly what: string;
  readonly next: string;
}

export class AskFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failureWords(failure).what);
    this.name = "AskFailed";
    this.failure = failure;
  }
}

/** Whatever was thrown. An error without an answer came from the network. */
export function failureOf(thrown: unknown): Failure {
  return thrown instanceof AskFailed ? thrown.failure : { kind: "unreachable" };
}

export function failureWords(failure: Failure): FailureWords {
  switch (failure.kind) {
    case "unreachable":
      return {
        what: "The Mainstay server does not answer.",
        next: "Check that it runs and that no firewall or proxy blocks it; this page tries again by itself.",
      };
    case "garbled":
      return {
        what: `Something answered with status ${failure.status} that is not Mainstay.`,
        next: "Check the address; a proxy may answer instead.",
      };
    case "answered":
      return { what: asSentence(failure.error.message), next: failure.error.hint ?? nextSteps[failure.error.code] };
  }
}

const nextSteps: Readonly<Record<ApiError["code"], string>> = {
  unauthenticated: "Enter a token of this cluster.",
  forbidden: "Ask for the role that lets you see this, or use another token.",
  "not-found": "Check the names in the address.",
  "bad-request": "Check the values and try again.",
  "foreign-origin": "Open the dashboard at its own address.",
  "wrong-host": "Open the dashboard at an address it listens on.",
  "read-only": "This dashboard only shows. Make changes with kubectl.",
  "too-slow": "This page fell behind and catches up by itself.",
  "too-many-streams": "Close other tabs of the dashboard; this page tries again by itself.",
  unavailable: "This page tries again by itself.",
  internal: "Read the log of the manager; this page tries again by itself.",
};
