// How each service words its errors.

import type { OpenStackService } from "../../../../core/openstack/openstack-error.ts";
import { type CloudFault, typeOfFault } from "../cloud-fault.ts";
import type { Reply } from "./route.ts";

export function encodeFault(service: OpenStackService, fault: CloudFault): Reply {
  const { status, message, retryAfterMs } = fault;
  const headers = retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) };
  return { status, headers, body: bodyOf(service, status, message, typeOfFault(service, fault)) };
}

function bodyOf(service: OpenStackService, status: number, message: string, type: string | undefined): unknown {
  // Both leave this to the middleware in front of them, which words it like Keystone.
  if (service === "keystone" || status === 401) return { error: { code: status, message, title: "" } };
  if (service === "neutron") return { NeutronError: { type, message, detail: "" } };
  if (service === "nova") return { [status === 404 ? "itemNotFound" : "badRequest"]: { code: status, message } };
  return { faultcode: status >= 500 ? "Server" : "Client", faultstring: message, debuginfo: null };
}
