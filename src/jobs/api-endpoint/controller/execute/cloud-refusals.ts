// Errors of the cloud that mean something else than they say, in the words that people and the engine should get.

import { MainstayError } from "../../../../core/errors.ts";
import { OpenStackError, type OpenStackErrorFields } from "../../../../core/openstack/openstack-error.ts";
import { lateCreateMs } from "../../core/balancer/late-creates.ts";

/** Expected of a tenant, and no reason to tell people what role is missing: the next plan goes the longer way. */
export function failoverUnavailable(name: string, cause: OpenStackError): MainstayError {
  const message = `load balancer ${name}: the cloud does not let us fail it over; it is made again instead, where another way in is healthy`;
  return new MainstayError({ reason: "FailoverUnavailable", message, cause });
}

/** Asking again at once would only make a second balancer, which would have to go again. */
export function mayStillArrive(error: OpenStackError): OpenStackError {
  return retold(error, { retryAfterMs: Math.max(error.retryAfterMs ?? 0, lateCreateMs) });
}

/** Neutron without tags knows no such path, and says of it what it says of an object that is gone. */
export function tagsUnavailable(error: OpenStackError): OpenStackError {
  return retold(error, { code: "Unsupported" });
}

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
