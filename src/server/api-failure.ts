// A request that cannot be answered as asked: the status and the words that the caller gets. Nothing internal is in it.

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

/** What a caller is told of anything that was thrown. */
export function asFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure("internal", "the request failed inside Mainstay");
}
