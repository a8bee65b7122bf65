// The one error type that crosses layers. Core returns problems, drivers and shells throw this, the engine catches it.

import type { Reason } from "./reasons.ts";

export interface MainstayErrorFields {
  readonly reason: Reason;
  /** Names the object first, then the offending value. Never holds a secret. */
  readonly message: string;
  /** What to do next, in the imperative. */
  readonly hint?: string;
  /** The server asked for this delay before another try. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

export class MainstayError extends Error {
  readonly reason: Reason;
  readonly hint: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor({ reason, message, hint, retryAfterMs, cause }: MainstayErrorFields) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "MainstayError";
    this.reason = reason;
    this.hint = hint;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Thrown by `invariant` only: a bug in Mainstay. The engine isolates the key whose round threw it. */
export class InvariantViolation extends MainstayError {
  constructor(promise: string) {
    super({
      reason: "InvariantViolated",
      message: promise,
      hint: "Please report this with the plan log of the object.",
    });
    this.name = "InvariantViolation";
  }
}

export function invariant(holds: unknown, promise: string): asserts holds {
  if (!holds) throw new InvariantViolation(promise);
}
