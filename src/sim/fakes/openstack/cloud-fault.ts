// How a service of the fake cloud refuses a call: a status and its own words, before anybody maps it to an OpenStackError or to wire form.

import { codeOfRefusal, OpenStackError, type OpenStackService } from "../../../core/openstack/openstack-error.ts";
import { present } from "../../../core/present.ts";

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
  throw new CloudFault({ status, message, ...present({ type }) });
}

/** Neutron's name where the fault has none of its own. */
const usualTypes: Readonly<Record<number, string>> = {
  400: "HTTPBadRequest",
  403: "PolicyNotAuthorized",
  404: "HTTPNotFound",
  500: "HTTPInternalServerError",
};

/** Only Neutron has names. */
export function typeOfFault(service: OpenStackService, { status, type }: CloudFault): string | undefined {
  return service === "neutron" && status !== 401 ? (type ?? usualTypes[status] ?? "HTTPClientError") : undefined;
}

/** As the driver maps what it gets over HTTP. */
export function openStackErrorOf(service: OpenStackService, operation: string, fault: CloudFault): OpenStackError {
  const { status, message, retryAfterMs } = fault;
  const type = typeOfFault(service, fault);
  return new OpenStackError({
    code: codeOfRefusal(service, { status, message, type }),
    service,
    operation,
    message: `${operation}: ${message}`,
    status,
    ...present({ retryAfterMs, type }),
  });
}
