// The 403 answer, in the words of the real server.

import type { JsonObject } from "../json.ts";
import type { RequestAttributes } from "./authorize.ts";
import type { UserInfo } from "./user-info.ts";

/** A `Status` with code 403. */
export function forbiddenStatus(user: UserInfo, attributes: RequestAttributes, reason: string): JsonObject {
  const tail = reason === "" ? "" : `: ${reason}`;
  if ("path" in attributes) {
    const message = `forbidden: User ${quote(user.username)} cannot ${attributes.verb} path ${quote(attributes.path)}${tail}`;
    return status(message, {});
  }
  const { verb, group, resource, subresource, name, namespace } = attributes;
  const whole = subresource ? `${resource}/${subresource}` : resource;
  const qualified = group === "" ? resource : `${resource}.${group}`;
  const object = name ? `${qualified} ${quote(name)}` : qualified;
  const where = namespace ? `in the namespace ${quote(namespace)}` : "at the cluster scope";
  const message =
    `${object} is forbidden: User ${quote(user.username)} cannot ${verb} resource ${quote(whole)} ` +
    `in API group ${quote(group)} ${where}${tail}`;
  return status(message, {
    ...(name ? { name } : {}),
    ...(group === "" ? {} : { group }),
    kind: resource,
  });
}

function status(message: string, details: JsonObject): JsonObject {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: "Forbidden",
    details,
    code: 403,
  };
}

function quote(text: string): string {
  return JSON.stringify(text);
}
