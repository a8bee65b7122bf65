// May this user do this? RBAC over the stored roles and bindings, and nothing else: no bindings, no rights.

import type { JsonObject } from "../json.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { covers, type GrantedRule, rulesFor } from "./policy-rules.ts";
import type { UserInfo } from "./user-info.ts";

/** What a request wants to do, in the words of RBAC's rules. */
export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Empty or absent: all of them, or not known yet. */
  readonly name?: string;
  /** Empty or absent: cluster scope, or every namespace. A request for a Namespace itself carries its name here too. */
  readonly namespace?: string;
}

export interface PathAttributes {
  readonly verb: string;
  readonly path: string;
}

export type RequestAttributes = ResourceAttributes | PathAttributes;

/** The stored RBAC objects; getters over storage will do. */
export interface RbacPolicy {
  readonly roles: readonly JsonObject[];
  readonly clusterRoles: readonly JsonObject[];
  readonly roleBindings: readonly JsonObject[];
  readonly clusterRoleBindings: readonly JsonObject[];
}

export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Members of this group may do everything, whatever the roles say. */
export const masters = "system:masters";

export function authorize(user: UserInfo, attributes: RequestAttributes, rbac: RbacPolicy): Decision {
  if (user.groups.includes(masters)) return { allowed: true, reason: "" };
  const namespace = "path" in attributes ? "" : (attributes.namespace ?? "");
  const { granted, missing } = rulesFor(user, namespace, rbac);
  const grant = granted.find(({ rule }) => covers(rule, attributes));
  if (grant !== undefined) return { allowed: true, reason: allowedBy(grant) };
  return { allowed: false, reason: missing.length === 0 ? "" : `RBAC: ${missingText(missing)}` };
}

function missingText(missing: readonly string[]): string {
  return missing.length === 1 ? (missing[0] ?? "") : `[${missing.join(", ")}]`;
}

function allowedBy({ binding, subject }: GrantedRule): string {
  const metadata = objectAt(binding, "metadata");
  const [name, namespace] = [stringAt(metadata, "name"), stringAt(metadata, "namespace")];
  const bound = namespace === "" ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${namespace}"`;
  const role = objectAt(binding, "roleRef");
  const account = stringAt(subject, "kind") === "ServiceAccount" ? `/${stringAt(subject, "namespace")}` : "";
  return (
    `RBAC: allowed by ${bound} of ${stringAt(role, "kind")} "${stringAt(role, "name")}" ` +
    `to ${stringAt(subject, "kind")} "${stringAt(subject, "name")}${account}"`
  );
}
