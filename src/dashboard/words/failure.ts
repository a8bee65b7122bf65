// What went wrong between the dashboard and the server, and the one function that says it to people: what happened, then
// what to do. Nothing else in the dashboard words an error.

import type { ApiError } from "../../server/contract.ts";
import { asSentence } from "./as-sentence.ts";

export type Failure =
  /** No answer at all: the server is away, or the network is. */
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
        next: "See that it runs and that nothing lies between; this page tries again by itself.",
      };
    case "garbled":
      return {
        what: `Something answered with status ${failure.status} that is not Mainstay.`,
        next: "A proxy may stand in between. Check the address.",
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
  "read-only": "Here the dashboard only shows. Changes are made with kubectl.",
  "too-slow": "This page fell behind and catches up by itself.",
  "too-many-streams": "Close other tabs of the dashboard; this page tries again by itself.",
  unavailable: "This page tries again by itself.",
  internal: "Look at the log of the manager; this page tries again by itself.",
};
