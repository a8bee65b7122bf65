// The request inside an AdmissionReview: everything a webhook learns about a write.

import type { JsonObject } from "../json.ts";
import type { AdmissionRequest } from "./webhooks.ts";

/** `version` is the one the webhook wants; the objects of `request` must be in it already. */
export function requestBody(request: AdmissionRequest, version: string, uid: string): JsonObject {
  const { resource, subresource, namespace, name, operation, user, dryRun, options } = request;
  const kindOf = (of: string) => ({ group: resource.group, version: of, kind: resource.kind });
  const resourceOf = (of: string) => ({ group: resource.group, version: of, resource: resource.plural });
  const isNamespace = resource.group === "" && resource.kind === "Namespace";
  const home = namespace ?? (isNamespace ? name : undefined);
  return {
    uid,
    kind: kindOf(version),
    resource: resourceOf(version),
    ...(subresource === undefined ? {} : { subResource: subresource }),
    requestKind: kindOf(request.version),
    requestResource: resourceOf(request.version),
    ...(subresource === undefined ? {} : { requestSubResource: subresource }),
    name,
    ...(home === undefined ? {} : { namespace: home }),
    operation,
    userInfo: {
      username: user.username,
      ...(user.uid === undefined ? {} : { uid: user.uid }),
      groups: user.groups,
      ...(user.extra === undefined ? {} : { extra: user.extra }),
    },
    object: request.object ?? null,
    oldObject: request.oldObject ?? null,
    dryRun,
    options,
  };
}
