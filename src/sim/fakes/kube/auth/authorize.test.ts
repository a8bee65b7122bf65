import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { authenticate } from "./authenticate.ts";
import { authorize, type RbacPolicy, type RequestAttributes } from "./authorize.ts";
import { bootstrapPolicy } from "./bootstrap-policy.ts";
import { escalation } from "./escalation.ts";
import { impersonate } from "./impersonate.ts";
import type { UserInfo } from "./user-info.ts";

const robot: UserInfo = { username: "system:serviceaccount:here:robot", groups: ["system:authenticated"] };

function policy(...objects: readonly JsonObject[]): RbacPolicy {
  const all = [...bootstrapPolicy(), ...objects];
  const ofKind = (kind: string) => all.filter((object) => object["kind"] === kind);
  return {
    roles: ofKind("Role"),
    clusterRoles: ofKind("ClusterRole"),
    roleBindings: ofKind("RoleBinding"),
    clusterRoleBindings: ofKind("ClusterRoleBinding"),
  };
}

function clusterRole(name: string, rules: readonly JsonObject[], labels: JsonObject = {}): JsonObject {
  return { kind: "ClusterRole", metadata: { name, labels }, rules };
}

function bound(role: string, subject: JsonObject, namespace?: string): JsonObject {
  const metadata = namespace === undefined ? { name: role } : { name: role, namespace };
  const kind = namespace === undefined ? "ClusterRoleBinding" : "RoleBinding";
  return { kind, metadata, roleRef: { kind: "ClusterRole", name: role }, subjects: [subject] };
}

const ask = (
  verb: string,
  resource: string,
  rest: Partial<Record<"group" | "subresource" | "name" | "namespace", string>> = {},
): RequestAttributes => ({
  verb,
  resource,
  group: "",
  version: "v1",
  ...rest,
});
const subject = { kind: "ServiceAccount", name: "robot", namespace: "here" };
const podReader = clusterRole("pods", [{ apiGroups: [""], resources: ["pods", "*/scale"], verbs: ["get"] }]);

describe("authorization", () => {
  it("gives a service account what its binding says, in the binding's namespace", () => {
    const rbac = policy(podReader, bound("pods", { ...subject, namespace: "" }, "here"));
    expect(authorize(robot, ask("get", "pods", { namespace: "here" }), rbac)).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "pods/here" of ClusterRole "pods" to ServiceAccount "robot/"',
    });
    expect(authorize(robot, ask("get", "pods", { namespace: "there" }), rbac).allowed).toBe(false);
    expect(authorize(robot, ask("get", "pods"), rbac).allowed).toBe(false);
  });

  it("knows a subresource of any resource", () => {
    const rbac = policy(podReader, bound("pods", subject));
    expect(authorize(robot, ask("get", "deployments", { group: "", subresource: "scale" }), rbac).allowed).toBe(true);
    expect(authorize(robot, ask("get", "pods", { subresource: "log" }), rbac).allowed).toBe(false);
    expect(authorize(robot, ask("get", "deployments"), rbac).allowed).toBe(false);
  });

  it("gives an aggregated role the rules of those it selects, also through another aggregated role", () => {
    const label = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
    const extra = clusterRole("more", [{ apiGroups: ["x.test"], resources: ["things"], verbs: ["list"] }], label);
    const rbac = policy(extra, bound("admin", subject));
    expect(authorize(robot, ask("list", "things", { group: "x.test", namespace: "any" }), rbac).allowed).toBe(true);
    expect(authorize(robot, ask("delete", "things", { group: "x.test", namespace: "any" }), rbac).allowed).toBe(false);
  });

  it("lets the masters do everything, whatever the roles say", () => {
    const nothing: RbacPolicy = { roles: [], clusterRoles: [], roleBindings: [], clusterRoleBindings: [] };
    const master = { username: "root", groups: ["system:masters"] };
    expect(authorize(master, ask("delete", "everything"), nothing).allowed).toBe(true);
    expect(escalation(master, podReader, undefined, nothing)).toBeUndefined();
  });

  it("lifts the check of granted rights for those who may escalate or bind", () => {
    const admin = clusterRole("all", [{ apiGroups: ["*"], resources: ["*"], verbs: ["get"] }]);
    const may = (verb: string, resource: string) =>
      policy(
        admin,
        clusterRole("may", [{ apiGroups: ["rbac.authorization.k8s.io"], resources: [resource], verbs: [verb] }]),
        bound("may", subject),
      );
    expect(escalation(robot, admin, undefined, policy(admin))).toMatchObject({ code: 403, reason: "Forbidden" });
    expect(escalation(robot, admin, undefined, may("escalate", "clusterroles"))).toBeUndefined();
    expect(escalation(robot, bound("all", subject), undefined, policy(admin))).toMatchObject({ code: 403 });
    expect(escalation(robot, bound("all", subject), undefined, may("bind", "clusterroles"))).toBeUndefined();
    expect(escalation(robot, bound("absent", subject), undefined, policy(admin))).toMatchObject({ code: 404 });
    expect(escalation(robot, admin, admin, policy(admin))).toBeUndefined();
  });
});

describe("authentication", () => {
  const known = { users: new Map([["secret", { username: "me", groups: ["us"] }]]) };

  it("knows bearers of tokens, takes others for anonymous and wrong tokens for nobody", () => {
    expect(authenticate({ authorization: "Bearer secret" }, known)).toEqual({
      username: "me",
      groups: ["us", "system:authenticated"],
    });
    expect(authenticate({ authorization: "Basic x" }, known)?.username).toBe("system:anonymous");
    expect(authenticate({}, known)?.groups).toEqual(["system:unauthenticated"]);
    expect(authenticate({ authorization: "Bearer wrong" }, known)).toBeUndefined();
  });
});

describe("impersonation", () => {
  const rule = (resources: readonly string[], names: readonly string[]) => ({
    apiGroups: ["*"],
    resources,
    resourceNames: names,
    verbs: ["impersonate"],
  });
  const rbac = policy(
    clusterRole("act", [rule(["users"], ["fred"]), rule(["groups"], ["friends"])]),
    bound("act", subject),
  );
  const headers = (more: Readonly<Record<string, string>> = {}) => ({ "impersonate-user": "fred", ...more });

  it("needs a right for the name and for each group", () => {
    expect(impersonate(robot, headers(), rbac)).toEqual({
      user: { username: "fred", groups: ["system:authenticated"] },
    });
    expect(impersonate(robot, headers({ "impersonate-group": "friends" }), rbac)).toMatchObject({
      user: { groups: ["friends", "system:authenticated"] },
    });
    expect(impersonate(robot, headers({ "impersonate-group": "friends, masters" }), rbac)).toMatchObject({
      refused: { code: 403 },
    });
    expect(impersonate(robot, { "impersonate-user": "anna" }, rbac)).toMatchObject({ refused: { code: 403 } });
    expect(impersonate(robot, { "impersonate-group": "friends" }, rbac)).toMatchObject({ refused: { code: 400 } });
    expect(impersonate(robot, {}, rbac)).toEqual({ user: robot });
  });
});
