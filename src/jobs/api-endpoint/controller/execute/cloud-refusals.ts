// Errors of the cloud that mean something else than they say, in the words that people and the engine should get.

import { MainstayError } from "../../../../core/errors.ts";
import {
  OpenStackError,
  type OpenStackErrorCode,
  type OpenStackErrorFields,
} from "../../../../core/openstack/openstack-error.ts";
import { lateCreateMs } from "../../core/balancer/late-creates.ts";

/** Expected of a tenant, and no reason to tell people what role is missing: the next plan goes the longer way. */
export function failoverUnavailable(name: string, cause: OpenStackError): MainstayError {
  const message = `load balancer ${name}: the cloud does not let us fail it over; it is rebuilt instead, where another way in is healthy`;
  return new MainstayError({ reason: "FailoverUnavailable", message, cause });
}

/** Asking again at once would only make a second one, which would have to go again. */
export function mayStillArrive(error: OpenStackError): OpenStackError {
  return retold(error, { retryAfterMs: Math.max(error.retryAfterMs ?? 0, lateCreateMs) });
}

/** Neutron without tags knows no such path, and says of it what it says of an object that is gone. */
export function tagsUnavailable(error: OpenStackError): OpenStackError {
  return retold(error, { code: "Unsupported" });
}

/**
 * By its id nobody knows it, and what it holds up goes on only when somebody lets it: the message has the address, who refuses, and what to do. What passes by
 * itself, or was only overtaken by somebody else's change, stays as it is.
 */
export function floatingIpHeld(address: string, what: "delete" | "detach", error: OpenStackError): OpenStackError {
  if (!refusals.includes(error.code)) return error;
  const isDeletion = what === "delete";
  const todo = isDeletion
    ? `allow it, or delete it yourself (openstack floating ip delete ${address}); to keep it, take Mainstay's description and tags off it`
    : `allow it, or detach it yourself (openstack floating ip unset --port ${address})`;
  return retold(error, {
    message: `floating IP ${address}: Neutron refuses to ${what} it: ${error.message}; ${todo}`,
  });
}

const refusals: readonly OpenStackErrorCode[] = ["Conflict", "BadRequest", "Forbidden", "Unsupported", "ServerError"];

function retold(error: OpenStackError, over: Partial<OpenStackErrorFields>): OpenStackError {
  const { code, service, operation, message, hint } = error;
  return new OpenStackError({
    code,
    service,
    operation,
    message,
    ...(hint === undefined ? {} : { hint }),
    cause: error,
    ...over,
  });
}
