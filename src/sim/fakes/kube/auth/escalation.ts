// Nobody may give away rights he does not have: checked whenever a role or a binding is written. The verbs `escalate`
// on a role and `bind` on the bound role lift the check.

import type { JsonObject } from "../json.ts";
import { stringsAt } from "../json-lists.ts";
import { objectAt, sameJson, stringAt } from "../schema/json-value.ts";
import { authorize, masters, type RbacPolicy } from "./authorize.ts";
import { refusedWrite, unknownRole } from "./escalation-refusals.ts";
import { covers, roleOf, roleRules, rulesFor } from "./policy-rules.ts";
import type { UserInfo } from "./user-info.ts";

const group = "rbac.authorization.k8s.io";

/** A `Status` that refuses the write, or undefined. For other kinds than the four of RBAC: undefined. */
export function escalation(
  user: UserInfo,
  object: JsonObject,
  old: JsonObject | undefined,
  rbac: RbacPolicy,
): JsonObject | undefined {
  if (user.groups.includes(masters)) return undefined;
  const kind = stringAt(object, "kind");
  if (kind === "Role" || kind === "ClusterRole") return roleEscalation(user, object, old, rbac);
  if (kind === "RoleBinding" || kind === "ClusterRoleBinding") return bindingEscalation(user, object, old, rbac);
  return undefined;
}

function roleEscalation(
  user: UserInfo,
  role: JsonObject,
  old: JsonObject | undefined,
  rbac: RbacPolicy,
): JsonObject | undefined {
  const unchanged =
    sameJson(old?.["rules"], role["rules"]) && sameJson(old?.["aggregationRule"], role["aggregationRule"]);
  if (old !== undefined && unchanged) return undefined;
  const { name, namespace } = nameOf(role);
  const resource = stringAt(role, "kind") === "Role" ? "roles" : "clusterroles";
  const attributes = { verb: "escalate", group, version: "v1", resource, name, namespace };
  if (authorize(user, attributes, rbac).allowed) return undefined;
  return notHeld(user, resource, name, namespace, roleRules(role, rbac), rbac);
}

function bindingEscalation(
  user: UserInfo,
  binding: JsonObject,
  old: JsonObject | undefined,
  rbac: RbacPolicy,
): JsonObject | undefined {
  const unchanged = sameJson(old?.["roleRef"], binding["roleRef"]) && sameJson(old?.["subjects"], binding["subjects"]);
  if (old !== undefined && unchanged) return undefined;
  const { name, namespace } = nameOf(binding);
  const bound = objectAt(binding, "roleRef");
  const resource = stringAt(binding, "kind") === "RoleBinding" ? "rolebindings" : "clusterrolebindings";
  const boundResource = stringAt(bound, "kind") === "Role" ? "roles" : "clusterroles";
  const attributes = {
    verb: "bind",
    group,
    version: "v1",
    resource: boundResource,
    name: stringAt(bound, "name"),
    namespace,
  };
  if (authorize(user, attributes, rbac).allowed) return undefined;
  const role = roleOf(binding, rbac);
  if (role === undefined) return unknownRole(resource, stringAt(bound, "name"));
  return notHeld(user, resource, name, namespace, roleRules(role, rbac), rbac);
}

function notHeld(
  user: UserInfo,
  resource: string,
  name: string,
  namespace: string,
  wanted: readonly JsonObject[],
  rbac: RbacPolicy,
): JsonObject | undefined {
  const held = rulesFor(user, namespace, rbac).granted.map(({ rule }) => rule);
  const missing = wanted.flatMap(singleRights).filter((right) => !held.some((rule) => grants(rule, right)));
  return missing.length === 0 ? undefined : refusedWrite(user, resource, name, missing);
}

/** A rule taken apart into rights of one verb on one resource, one name, or one path. */
function singleRights(rule: JsonObject): readonly JsonObject[] {
  const verbs = stringsAt(rule, "verbs");
  const paths = stringsAt(rule, "nonResourceURLs");
  const names = stringsAt(rule, "resourceNames");
  const onPaths = paths.flatMap((path) => verbs.map((verb) => ({ nonResourceURLs: [path], verbs: [verb] })));
  const onResources = stringsAt(rule, "apiGroups").flatMap((apiGroup) =>
    stringsAt(rule, "resources").flatMap((resource) =>
      verbs.flatMap((verb) => {
        const right = { apiGroups: [apiGroup], resources: [resource], verbs: [verb] };
        return names.length === 0 ? [right] : names.map((one) => ({ ...right, resourceNames: [one] }));
      }),
    ),
  );
  return [...onResources, ...onPaths];
}

function grants(rule: JsonObject, right: JsonObject): boolean {
  const verb = stringsAt(right, "verbs")[0] ?? "";
  const path = stringsAt(right, "nonResourceURLs")[0];
  if (path !== undefined) return covers(rule, { verb, path });
  const [resource = "", subresource = ""] = (stringsAt(right, "resources")[0] ?? "").split("/");
  const name = stringsAt(right, "resourceNames")[0] ?? "";
  return covers(rule, {
    verb,
    group: stringsAt(right, "apiGroups")[0] ?? "",
    version: "",
    resource,
    subresource,
    name,
  });
}

function nameOf(object: JsonObject): { readonly name: string; readonly namespace: string } {
  const metadata = objectAt(object, "metadata");
  return { name: stringAt(metadata, "name"), namespace: stringAt(metadata, "namespace") };
}
