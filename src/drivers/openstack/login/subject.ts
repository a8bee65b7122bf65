// What a call does and to which object, in words for errors and metrics.

import type { OpenStackService } from "../../../core/openstack/openstack-error.ts";

export interface Subject {
  readonly service: OpenStackService;
  readonly verb: "list" | "get" | "create" | "update" | "delete" | "fail over" | "merge" | "tag" | "authenticate";
  /** `load balancer`, or `load balancers` of a list. */
  readonly kind: string;
  /** Name or id, where it is about one. */
  readonly name?: string;
}

/** `create load balancer`. */
export function operationOf({ verb, kind }: Subject): string {
  return `${verb} ${kind}`;
}

/** `load balancer api-az1: create`. */
export function describeSubject({ verb, kind, name }: Subject): string {
  return `${kind}${name === undefined ? "" : ` ${name}`}: ${verb}`;
}
