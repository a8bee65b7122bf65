// Failures of OpenStack's services as types. Callers ask `isOpenStackError(error, "Conflict")`, never match on text.

import { MainstayError } from "../errors.ts";
import { present } from "../present.ts";
import type { Reason } from "../reasons.ts";

export const openStackServices = ["keystone", "neutron", "octavia", "nova"] as const;
export type OpenStackService = (typeof openStackServices)[number];

export type OpenStackErrorCode =
  /** 404. */
  | "NotFound"
  /** 409: the balancer is in a PENDING state, or the thing exists already. */
  | "Conflict"
  /** 412: it was changed since the caller looked at it, and nothing was done. */
  | "Changed"
  /** 400, 413 and every other 4xx: the request itself is refused. */
  | "BadRequest"
  /** 401, also after a new token was asked for. */
  | "Unauthorized"
  /** 403 without a word of quota. */
  | "Forbidden"
  /** 403, 409 or 413 because a quota is used up, or 400 because a port has as many address pairs as it may. */
  | "QuotaExceeded"
  /** 501: the provider cannot do this. */
  | "Unsupported"
  | "TooManyRequests"
  /** No answer in time: the change may or may not have had its effect. */
  | "Timeout"
  | "Unreachable"
  /** Any other 5xx. */
  | "ServerError"
  /** The catalogue has no such service in this region and interface. */
  | "NoSuchService";

export interface OpenStackErrorFields {
  readonly code: OpenStackErrorCode;
  readonly service: OpenStackService;
  /** Such as `create load balancer`: the operation in words, also a metric's label with dashes. */
  readonly operation: string;
  /** Names the object first, then what the service said. Redacted before it gets here. */
  readonly message: string;
  /** Absent when no answer came. */
  readonly status?: number;
  /** Neutron's name for it, such as `IpAddressGenerationFailure`: it tells apart what has one code. Other services have none. */
  readonly type?: string;
  readonly retryAfterMs?: number;
  readonly hint?: string;
  readonly cause?: unknown;
}

const reasonByCode: Readonly<Record<OpenStackErrorCode, Reason>> = {
  NotFound: "OpenStackObjectNotFound",
  Conflict: "OpenStackConflict",
  Changed: "OpenStackObjectChanged",
  BadRequest: "OpenStackRequestRejected",
  Unauthorized: "OpenStackNotAuthenticated",
  Forbidden: "OpenStackForbidden",
  QuotaExceeded: "OpenStackQuotaExceeded",
  Unsupported: "OpenStackUnsupported",
  TooManyRequests: "OpenStackRateLimited",
  Timeout: "OpenStackTimeout",
  Unreachable: "OpenStackUnreachable",
  ServerError: "OpenStackServerError",
  NoSuchService: "OpenStackServiceMissing",
};

export class OpenStackError extends MainstayError {
  readonly code: OpenStackErrorCode;
  readonly service: OpenStackService;
  readonly operation: string;
  readonly status: number | undefined;
  readonly type: string | undefined;

  constructor({ code, service, operation, message, status, type, retryAfterMs, hint, cause }: OpenStackErrorFields) {
    super({
      reason: reasonByCode[code],
      message,
      ...present({ hint, retryAfterMs, cause }),
    });
    this.name = "OpenStackError";
    this.code = code;
    this.service = service;
    this.operation = operation;
    this.status = status;
    this.type = type;
  }
}

export function isOpenStackError(error: unknown, ...codes: readonly OpenStackErrorCode[]): error is OpenStackError {
  return error instanceof OpenStackError && (codes.length === 0 || codes.includes(error.code));
}

const codeByStatus: Readonly<Record<number, OpenStackErrorCode>> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  408: "Timeout",
  409: "Conflict",
  412: "Changed",
  429: "TooManyRequests",
  501: "Unsupported",
  // A proxy timed out: the service may still be working on the request.
  504: "Timeout",
};

/** Neutron's names for a limit that is reached: a project's quota, and the address pairs of one port. */
const limits: readonly string[] = ["OverQuota", "AllowedAddressPairExhausted"];

/** The code for a service's refusal. `type` is Neutron's name for it; other services' quota errors are recognised by their text. */
export function codeOfRefusal(
  service: OpenStackService,
  { status, message, type }: { readonly status: number; readonly message: string; readonly type?: string | undefined },
): OpenStackErrorCode {
  if (type !== undefined && limits.includes(type)) return "QuotaExceeded";
  if ((status === 403 || status === 413) && service !== "keystone" && /\bquota\b/i.test(message))
    return "QuotaExceeded";
  return codeByStatus[status] ?? (status >= 500 ? "ServerError" : "BadRequest");
}
