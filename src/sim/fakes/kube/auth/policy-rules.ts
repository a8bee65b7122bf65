// RBAC rules: which rules the stored bindings give a user, and whether one rule covers a request.

import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import { selects } from "../label-selection.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import type { RbacPolicy, RequestAttributes } from "./authorize.ts";
import type { UserInfo } from "./user-info.ts";

export interface GrantedRule {
  readonly rule: JsonObject;
  readonly binding: JsonObject;
  readonly subject: JsonObject;
}

export interface ResolvedRules {
  readonly granted: readonly GrantedRule[];
  /** `role.rbac.authorization.k8s.io "x" not found`, one for each binding that names a role which is not there. */
  readonly missing: readonly string[];
}

/** Rules that hold in a namespace, or, for an empty one, at cluster scope: bindings first to last, as stored. */
export function rulesFor(user: UserInfo, namespace: string, policy: RbacPolicy): ResolvedRules {
  const bindings = [
    ...policy.clusterRoleBindings,
    ...policy.roleBindings.filter(
      (one) => namespace !== "" && stringAt(objectAt(one, "metadata"), "namespace") === namespace,
    ),
  ];
  const granted: GrantedRule[] = [];
  const missing: string[] = [];
  for (const binding of bindings) {
    const inNamespace = stringAt(objectAt(binding, "metadata"), "namespace");
    const subject = objectsAt(binding, "subjects").find((one) => isSubject(user, one, inNamespace));
    if (subject === undefined) continue;
    const role = roleOf(binding, policy);
    if (role === undefined) missing.push(missingRole(objectAt(binding, "roleRef")));
    else for (const rule of roleRules(role, policy)) granted.push({ rule, binding, subject });
  }
  return { granted, missing };
}

export function roleOf(binding: JsonObject, policy: RbacPolicy): JsonObject | undefined {
  const ref = objectAt(binding, "roleRef");
  const namespace = stringAt(objectAt(binding, "metadata"), "namespace");
  const named = (one: JsonObject) => stringAt(objectAt(one, "metadata"), "name") === stringAt(ref, "name");
  if (stringAt(ref, "kind") === "ClusterRole") return policy.clusterRoles.find(named);
  return policy.roles.find((one) => named(one) && stringAt(objectAt(one, "metadata"), "namespace") === namespace);
}

/** An aggregated ClusterRole has the rules of the roles it selects, at once: nobody has to fill them in. */
export function roleRules(role: JsonObject, policy: RbacPolicy): readonly JsonObject[] {
  return aggregate(role, policy, new Set());
}

function aggregate(role: JsonObject, policy: RbacPolicy, seen: Set<JsonObject>): readonly JsonObject[] {
  if (seen.has(role)) return [];
  seen.add(role);
  const selectors = objectsAt(objectAt(role, "aggregationRule"), "clusterRoleSelectors");
  if (selectors.length === 0) return objectsAt(role, "rules");
  return policy.clusterRoles
    .filter((one) => selectors.some((selector) => selects(selector, objectAt(objectAt(one, "metadata"), "labels"))))
    .flatMap((one) => aggregate(one, policy, seen));
}

export function covers(rule: JsonObject, attributes: RequestAttributes): boolean {
  if (!has(stringsAt(rule, "verbs"), attributes.verb)) return false;
  if ("path" in attributes) {
    return stringsAt(rule, "nonResourceURLs").some((url) => pathMatches(url, attributes.path));
  }
  const { group, resource, subresource, name } = attributes;
  const names = stringsAt(rule, "resourceNames");
  return (
    has(stringsAt(rule, "apiGroups"), group) &&
    stringsAt(rule, "resources").some((one) => resourceMatches(one, resource, subresource ?? "")) &&
    (names.length === 0 || names.includes(name ?? ""))
  );
}

function has(list: readonly string[], word: string): boolean {
  return list.includes("*") || list.includes(word);
}

function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  if (pattern === "*") return true;
  return (
    pattern === (subresource === "" ? resource : `${resource}/${subresource}`) ||
    (subresource !== "" && pattern === `*/${subresource}`)
  );
}

function pathMatches(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1)));
}

function isSubject(user: UserInfo, subject: JsonObject, bindingNamespace: string): boolean {
  const name = stringAt(subject, "name");
  switch (stringAt(subject, "kind")) {
    case "User":
      return name === user.username;
    case "Group":
      return user.groups.includes(name);
    case "ServiceAccount": {
      const namespace = stringAt(subject, "namespace") || bindingNamespace;
      return namespace !== "" && user.username === `system:serviceaccount:${namespace}:${name}`;
    }
    default:
      return false;
  }
}

function missingRole(ref: JsonObject): string {
  const kind = stringAt(ref, "kind").toLowerCase();
  return `${kind}.rbac.authorization.k8s.io ${JSON.stringify(stringAt(ref, "name"))} not found`;
}
