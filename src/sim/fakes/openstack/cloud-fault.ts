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

/** As the driver maps what it gets over HTTP. */
export function openStackErrorOf(
  service: OpenStackService,
  operation: string,
  { status, message, type, retryAfterMs }: CloudFault,
): OpenStackError {
  return new OpenStackError({
    code: codeOfRefusal(service, { status, message, type }),
    service,
    operation,
    message: `${operation}: ${message}`,
    status,
    ...present({ retryAfterMs }),
  });
}
