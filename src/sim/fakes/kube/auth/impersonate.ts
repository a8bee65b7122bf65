// Acting as somebody else by Impersonate-* headers: every name, group, uid and extra asked for needs the verb `impersonate`.

import { present } from "../../../../core/present.ts";
import type { JsonObject } from "../json.ts";
import { anonymous, withGroup } from "./authenticate.ts";
import { authorize, type RbacPolicy, type ResourceAttributes } from "./authorize.ts";
import { forbiddenStatus } from "./forbidden.ts";
import type { UserInfo } from "./user-info.ts";

export type Impersonation = { readonly user: UserInfo } | { readonly refused: JsonObject };

const accountPrefix = "system:serviceaccount:";
const extraPrefix = "impersonate-extra-";

/** Header names in lower case; several groups in one header are separated by commas. */
export function impersonate(
  user: UserInfo,
  headers: Readonly<Record<string, string>>,
  rbac: RbacPolicy,
): Impersonation {
  const wanted = wantedUser(headers);
  if (wanted === undefined) return { user };
  if (wanted.username === "") return { refused: namelessStatus() };
  for (const attributes of neededRights(wanted)) {
    const decision = authorize(user, attributes, rbac);
    if (!decision.allowed) return { refused: forbiddenStatus(user, attributes, decision.reason) };
  }
  return { user: { ...wanted, groups: actingGroups(wanted) } };
}

function wantedUser(headers: Readonly<Record<string, string>>): UserInfo | undefined {
  if (!Object.keys(headers).some((name) => name.startsWith("impersonate-"))) return undefined;
  const extra = Object.entries(headers)
    .filter(([name]) => name.startsWith(extraPrefix))
    .map(([name, value]) => [decodeURIComponent(name.slice(extraPrefix.length)), listOf(value)] as const);
  const uid = headers["impersonate-uid"];
  return {
    username: headers["impersonate-user"] ?? "",
    groups: listOf(headers["impersonate-group"] ?? ""),
    ...present({ uid }),
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}

function neededRights(wanted: UserInfo): readonly ResourceAttributes[] {
  const verb = "impersonate";
  const authentication = { verb, group: "authentication.k8s.io", version: "v1" };
  return [
    userRight(wanted.username),
    ...wanted.groups.map((name) => ({ verb, group: "", version: "v1", resource: "groups", name })),
    ...Object.entries(wanted.extra ?? {}).flatMap(([key, values]) =>
      values.map((name) => ({ ...authentication, resource: "userextras", subresource: key, name })),
    ),
    ...(wanted.uid === undefined ? [] : [{ ...authentication, resource: "uids", name: wanted.uid }]),
  ];
}

function userRight(username: string): ResourceAttributes {
  const common = { verb: "impersonate", group: "", version: "v1" };
  if (!username.startsWith(accountPrefix)) return { ...common, resource: "users", name: username };
  const [namespace = "", name = ""] = username.slice(accountPrefix.length).split(":");
  return { ...common, resource: "serviceaccounts", namespace, name };
}

function actingGroups({ username, groups }: UserInfo): readonly string[] {
  if (username === anonymous.username) return withGroup(groups, "system:unauthenticated");
  if (!username.startsWith(accountPrefix) || groups.length > 0) return withGroup(groups, "system:authenticated");
  const [namespace = ""] = username.slice(accountPrefix.length).split(":");
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"];
}

function listOf(header: string): readonly string[] {
  return header
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function namelessStatus(): JsonObject {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "impersonation headers without impersonating a user name",
    reason: "BadRequest",
    code: 400,
  };
}
