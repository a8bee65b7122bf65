// A request that is refused or failed: the HTTP status and the message that the caller gets. It holds nothing internal.

import type { ApiError, ApiErrorCode } from "./contract.ts";

const statuses: Readonly<Record<ApiErrorCode, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  "not-found": 404,
  "bad-request": 400,
  "foreign-origin": 403,
  "wrong-host": 421,
  "read-only": 405,
  "too-slow": 503,
  "too-many-streams": 429,
  unavailable: 503,
  internal: 500,
};

export class ApiFailure extends Error {
  readonly code: ApiErrorCode;
  readonly hint: string | undefined;

  constructor(code: ApiErrorCode, message: string, hint?: string) {
    super(message);
    this.name = "ApiFailure";
    this.code = code;
    this.hint = hint;
  }

  get status(): number {
    return statuses[this.code];
  }

  get answer(): ApiError {
    return { code: this.code, message: this.message, ...(this.hint === undefined ? {} : { hint: this.hint }) };
  }
}

/** Of an error that is not meant for callers, only that the request failed. */
export function asFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure("internal", "the request failed inside Mainstay");
}
