// Failures of the Kubernetes API as types. Callers ask `isKubeError(error, "NotFound")`, never match on text.

import { MainstayError } from "./errors.ts";
import type { Reason } from "./reasons.ts";

export type KubeErrorCode =
  | "NotFound"
  | "KindNotServed"
  | "Conflict"
  | "AlreadyExists"
  | "Unauthorized"
  | "Forbidden"
  | "Invalid"
  | "BadRequest"
  | "Gone"
  | "TooManyRequests"
  | "Timeout"
  | "Unreachable"
  | "ServerError";

/** One reason a field was refused, as the API server names it. */
export interface FieldCause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

export interface KubeErrorFields {
  readonly code: KubeErrorCode;
  readonly message: string;
  /** HTTP status, absent when no answer came. */
  readonly status?: number;
  /** `status.reason` of the API server's answer, such as `Expired` or `FieldManagerConflict`. */
  readonly statusReason?: string;
  readonly causes?: readonly FieldCause[];
  readonly retryAfterMs?: number;
  /** Comes with `Gone` when a continue token expired: goes on from there, though no longer with one consistent list. */
  readonly continueToken?: string;
  readonly hint?: string;
  readonly cause?: unknown;
}

const reasonByCode: Readonly<Record<KubeErrorCode, Reason>> = {
  NotFound: "ObjectNotFound",
  KindNotServed: "KindNotServed",
  Conflict: "WriteConflict",
  AlreadyExists: "ObjectAlreadyExists",
  Unauthorized: "NotAuthenticated",
  Forbidden: "PermissionDenied",
  Invalid: "ObjectInvalid",
  BadRequest: "RequestRejected",
  Gone: "ResourceVersionExpired",
  TooManyRequests: "ApiRateLimited",
  Timeout: "ApiTimeout",
  Unreachable: "ApiUnreachable",
  ServerError: "ApiServerError",
};

export class KubeError extends MainstayError {
  readonly code: KubeErrorCode;
  readonly status: number | undefined;
  readonly statusReason: string | undefined;
  readonly causes: readonly FieldCause[];
  readonly continueToken: string | undefined;

  constructor(fields: KubeErrorFields) {
    super({
      reason: reasonByCode[fields.code],
      message: fields.message,
      ...(fields.hint === undefined ? {} : { hint: fields.hint }),
      ...(fields.retryAfterMs === undefined ? {} : { retryAfterMs: fields.retryAfterMs }),
      ...(fields.cause === undefined ? {} : { cause: fields.cause }),
    });
    this.name = "KubeError";
    this.code = fields.code;
    this.status = fields.status;
    this.statusReason = fields.statusReason;
    this.causes = fields.causes ?? [];
    this.continueToken = fields.continueToken;
  }
}

export function isKubeError(error: unknown, ...codes: readonly KubeErrorCode[]): error is KubeError {
  return error instanceof KubeError && (codes.length === 0 || codes.includes(error.code));
}
