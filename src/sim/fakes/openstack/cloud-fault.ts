// How a service of the fake cloud says no: a status and its own words, before anybody maps it to an OpenStackError or to wire form.

import {
  OpenStackError,
  type OpenStackErrorCode,
  type OpenStackService,
} from "../../../core/openstack/openstack-error.ts";

export interface CloudFaultFields {
  readonly status: number;
  readonly message: string;
  /** Neutron names the kind of its errors: `OverQuota`, `IpAddressGenerationFailure`. */
  readonly type?: string;
  readonly retryAfterMs?: number;
}

export class CloudFault extends Error {
  readonly status: number;
  readonly type: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor({ status, message, type, retryAfterMs }: CloudFaultFields) {
    super(message);
    this.name = "CloudFault";
    this.status = status;
    this.type = type;
    this.retryAfterMs = retryAfterMs;
  }
}

export function refuse(status: number, message: string, type?: string): never {
  throw new CloudFault({ status, message, ...(type === undefined ? {} : { type }) });
}

const codeByStatus: Readonly<Record<number, OpenStackErrorCode>> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  408: "Timeout",
  409: "Conflict",
  429: "TooManyRequests",
  501: "Unsupported",
  504: "Timeout",
};

/** As the driver maps what it hears over HTTP. */
export function openStackErrorOf(
  service: OpenStackService,
  operation: string,
  { status, message, type, retryAfterMs }: CloudFault,
): OpenStackError {
  return new OpenStackError({
    code: codeOf(status, message, type),
    service,
    operation,
    message: `${operation}: ${message}`,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function codeOf(status: number, message: string, type: string | undefined): OpenStackErrorCode {
  if (type === "OverQuota" || (/quota/i.test(message) && (status === 403 || status === 413))) return "QuotaExceeded";
  return codeByStatus[status] ?? (status >= 500 ? "ServerError" : "BadRequest");
}
