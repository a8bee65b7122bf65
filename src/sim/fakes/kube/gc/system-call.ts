// Calls the server's own controllers make: the same verbs as clients, with all rights and without HTTP.

import type { ResourceDefinition } from "../resource.ts";
import { serverError } from "../rest/api-error.ts";
import type { Call } from "../rest/call.ts";
import { requestInfo } from "../rest/request-info.ts";
import type { WriteOptions } from "../rest/write-options.ts";
import type { ServerContext } from "../server-context.ts";

export const systemWrite: WriteOptions = {
  dryRun: false,
  fieldValidation: "Ignore",
  fieldManager: "kube-controller-manager",
  force: false,
};

const controllerUser = {
  username: "system:kube-controller-manager",
  groups: ["system:masters", "system:authenticated"],
};

export function systemCall(
  server: ServerContext,
  resource: ResourceDefinition,
  namespace: string | undefined,
  name: string,
  subresource?: string,
): Call {
  const version = resource.versions.find(({ storage }) => storage);
  if (version === undefined) throw serverError(`${resource.plural} has no storage version`);
  const info = requestInfo({ method: "POST", path: "/", headers: {} });
  return {
    server,
    info,
    user: controllerUser,
    resource,
    version,
    namespace,
    name,
    subresource,
    signal: undefined,
    warnings: [],
  };
}
