// Who may do what: roles, bindings, reviews, impersonation, and the rule that nobody gives away what he does not have.

import { expect, it } from "vitest";
import { configMaps, namespaces, secrets } from "../../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject, ObjectMeta } from "../../../src/apis/kube/kube-object.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import type { ContractContext, GetContext } from "../kube-target.ts";
import { gadget, serveGadgets } from "./gadget-kind.ts";
import { eventually, rawRequest } from "./raw-request.ts";
import { reviewBehaviours } from "./reviews.ts";
import { configMap, refusal } from "./samples.ts";

const group = "rbac.authorization.k8s.io";
const kindOf = (kind: string, plural: string, namespaced: boolean): Kind => ({
  group,
  version: "v1",
  kind,
  plural,
  namespaced,
});
const roles = kindOf("Role", "roles", true);
const roleBindings = kindOf("RoleBinding", "rolebindings", true);
const clusterRoles = kindOf("ClusterRole", "clusterroles", false);
const clusterRoleBindings = kindOf("ClusterRoleBinding", "clusterrolebindings", false);
const controller = { apiGroup: group, kind: "User", name: "controller" };

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export function rbacBehaviours(get: GetContext): void {
  it("says Forbidden in words that name the user, the verb, the resource and the place", async () => {
    const { restricted, namespace } = get();
    const message = async (call: Promise<unknown>) => (await refusal(call)).message;
    expect(await message(restricted.list(configMaps, { namespace }))).toContain(
      `configmaps is forbidden: User "controller" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
    );
    expect(await message(restricted.list(namespaces))).toContain(
      'cannot list resource "namespaces" in API group "" at the cluster scope',
    );
    expect(await message(restricted.get(namespaces, { name: namespace }))).toContain(
      `namespaces "${namespace}" is forbidden: User "controller" cannot get resource "namespaces" in API group "" in the namespace "${namespace}"`,
    );
    expect(await message(restricted.request({ method: "GET", path: "/metrics" }))).toContain(
      'forbidden: User "controller" cannot get path "/metrics"',
    );
  });

  it("lets a bound user do what the role says, in its namespace, and no more", async () => {
    const context = get();
    const { admin, restricted } = context;
    const namespace = await freshNamespace(context);
    await bind(context, namespace, [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }]);
    await allowed(restricted, namespace, { verb: "list", resource: "configmaps" });
    await admin.create(configMaps, configMap({ name: "one", namespace }));
    expect((await restricted.list(configMaps, { namespace })).items).toHaveLength(1);
    expect(await restricted.get(configMaps, { namespace, name: "one" })).toMatchObject({ metadata: { name: "one" } });
    const forbidden = { code: "Forbidden" };
    expect(await refusal(restricted.create(configMaps, configMap({ name: "two", namespace })))).toMatchObject(
      forbidden,
    );
    expect(await refusal(restricted.list(secrets, { namespace }))).toMatchObject(forbidden);
    expect(await refusal(restricted.list(configMaps, { namespace: context.namespace }))).toMatchObject(forbidden);
    expect(await refusal(restricted.list(configMaps))).toMatchObject(forbidden);
  });

  it("lets a user with rights to one name list that one, selected by its name, and nothing else", async () => {
    const context = get();
    const { admin, restricted } = context;
    const namespace = await freshNamespace(context);
    const verbs = ["list", "get"];
    await bind(context, namespace, [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["one"], verbs }]);
    await allowed(restricted, namespace, { verb: "get", resource: "configmaps", name: "one" });
    await admin.create(configMaps, configMap({ name: "one", namespace }));
    const named = (name: string) => restricted.list(configMaps, { namespace, fieldSelector: `metadata.name=${name}` });
    expect((await named("one")).items.map(({ metadata }) => metadata.name)).toEqual(["one"]);
    expect(await refusal(named("two"))).toMatchObject({ code: "Forbidden" });
    expect(await refusal(restricted.list(configMaps, { namespace }))).toMatchObject({ code: "Forbidden" });
    const twoTerms = `metadata.namespace=${namespace},metadata.name=one`;
    expect((await restricted.list(configMaps, { namespace, fieldSelector: twoTerms })).items).toHaveLength(1);
  });

  it("keeps rights on a subresource apart from rights on its object", async () => {
    const context = get();
    const { admin, restricted } = context;
    const kind = await serveGadgets(context);
    const namespace = await freshNamespace(context);
    await bind(context, namespace, [{ apiGroups: [kind.group], resources: ["gadgets/status"], verbs: ["patch"] }]);
    await admin.create(kind, gadget(kind, namespace, "one"));
    await allowed(restricted, namespace, {
      verb: "patch",
      resource: "gadgets",
      subresource: "status",
      group: kind.group,
    });
    const ref = { namespace, name: "one" };
    const patch = { type: "merge", body: { status: { replicas: 4 } } } as const;
    expect(await restricted.patch(kind, ref, patch, { subresource: "status" })).toMatchObject({
      status: { replicas: 4 },
    });
    const error = await refusal(restricted.patch(kind, ref, { type: "merge", body: { spec: { replicas: 4 } } }));
    expect(error).toMatchObject({ code: "Forbidden" });
    expect(error.message).toContain(`gadgets.${kind.group} "one" is forbidden`);
  });

  it("wants the right to create for an apply that creates", async () => {
    const context = get();
    const { admin, restricted } = context;
    const namespace = await freshNamespace(context);
    await bind(context, namespace, [{ apiGroups: [""], resources: ["configmaps"], verbs: ["patch"] }]);
    await allowed(restricted, namespace, { verb: "patch", resource: "configmaps" });
    const one = configMap({ name: "one", namespace });
    expect((await refusal(restricted.apply(configMaps, one, { fieldManager: "me" }))).message).toContain(
      'configmaps "one" is forbidden: User "controller" cannot create resource "configmaps"',
    );
    await admin.create(configMaps, one);
    expect(await restricted.apply(configMaps, one, { fieldManager: "me" })).toMatchObject({
      metadata: { name: "one" },
    });
  });

  it("limits a rule to the names it lists", async () => {
    const context = get();
    const { admin, restricted } = context;
    const namespace = await freshNamespace(context);
    await bind(context, namespace, [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"], resourceNames: ["mine"] },
    ]);
    for (const name of ["mine", "yours"]) await admin.create(configMaps, configMap({ name, namespace }));
    await allowed(restricted, namespace, { verb: "get", resource: "configmaps", name: "mine" });
    expect(await restricted.get(configMaps, { namespace, name: "mine" })).toMatchObject({ metadata: { name: "mine" } });
    expect(await refusal(restricted.get(configMaps, { namespace, name: "yours" }))).toMatchObject({
      code: "Forbidden",
    });
    expect(await refusal(restricted.list(configMaps, { namespace }))).toMatchObject({ code: "Forbidden" });
  });

  it("binds a ClusterRole everywhere, or in one namespace, to a group", async () => {
    const context = get();
    const { admin, restricted, unique, cleanup } = context;
    const name = unique("reader");
    const namespace = await freshNamespace(context);
    const rules = [{ apiGroups: [""], resources: ["secrets", "namespaces"], verbs: ["*"] }];
    await admin.create(clusterRoles, rbacObject("ClusterRole", { name }, { rules }));
    cleanup(() => admin.delete(clusterRoles, { name }));
    const binding = {
      roleRef: { apiGroup: group, kind: "ClusterRole", name },
      subjects: [{ apiGroup: group, kind: "Group", name: "controllers" }],
    };
    await admin.create(roleBindings, rbacObject("RoleBinding", { name, namespace }, { ...binding }));
    await allowed(restricted, namespace, { verb: "list", resource: "secrets" });
    expect(await refusal(restricted.list(namespaces))).toMatchObject({ code: "Forbidden" });
    await admin.create(clusterRoleBindings, rbacObject("ClusterRoleBinding", { name }, { ...binding }));
    await allowed(restricted, "", { verb: "list", resource: "namespaces" });
    expect((await restricted.list(namespaces, { limit: 1 })).items).toHaveLength(1);
    await admin.delete(clusterRoleBindings, { name });
    await eventually("losing the right", async () =>
      (await can(restricted, "", { verb: "list", resource: "namespaces" })) ? undefined : true,
    );
  });

  it("lets a role open a path, also by prefix", async () => {
    const context = get();
    const { admin, restricted, unique, cleanup } = context;
    const name = unique("paths");
    const rules = [{ nonResourceURLs: ["/metrics", "/logs/*"], verbs: ["get"] }];
    await admin.create(clusterRoles, rbacObject("ClusterRole", { name }, { rules }));
    const roleRef = { apiGroup: group, kind: "ClusterRole", name };
    await admin.create(
      clusterRoleBindings,
      rbacObject("ClusterRoleBinding", { name }, { roleRef, subjects: [controller] }),
    );
    cleanup(() => admin.delete(clusterRoleBindings, { name }));
    cleanup(() => admin.delete(clusterRoles, { name }));
    const open = (path: string) => restrictedCan(restricted, { nonResourceAttributes: { verb: "get", path } });
    await eventually("the path to open", async () => (await open("/metrics")) || undefined);
    expect([await open("/logs/today"), await open("/logs"), await open("/metrics/deep")]).toEqual([true, false, false]);
  });

  it("shows discovery and its version to everybody with a name, its version and health to everybody", async () => {
    const { restricted, transport } = get();
    expect(await restricted.request({ method: "GET", path: "/apis" })).toMatchObject({ kind: "APIGroupList" });
    const nobody = { "impersonate-user": "system:anonymous" };
    expect((await rawRequest(transport, "/version", nobody)).status).toBe(200);
    expect((await rawRequest(transport, "/readyz", nobody)).status).toBe(200);
    const refused = await rawRequest(transport, "/apis", nobody);
    expect([refused.status, refused.json()["message"]]).toEqual([
      403,
      'forbidden: User "system:anonymous" cannot get path "/apis"',
    ]);
  });

  it("names the role that a binding misses", async () => {
    const context = get();
    const { admin, restricted } = context;
    const namespace = await freshNamespace(context);
    const roleRef = { apiGroup: group, kind: "Role", name: "nowhere" };
    await admin.create(
      roleBindings,
      rbacObject("RoleBinding", { name: "dangling", namespace }, { roleRef, subjects: [controller] }),
    );
    await eventually("the reason", async () => {
      const { message } = await refusal(restricted.list(secrets, { namespace }));
      return message.includes(': RBAC: role.rbac.authorization.k8s.io "nowhere" not found') || undefined;
    });
  });

  it("keeps users from granting rights they do not have, and lets them grant those they have", async () => {
    const context = get();
    const { restricted } = context;
    const namespace = await freshNamespace(context);
    await bind(context, namespace, [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] },
      { apiGroups: [group], resources: ["roles", "rolebindings"], verbs: ["create"] },
    ]);
    await allowed(restricted, namespace, { verb: "create", resource: "roles", group });
    const role = (name: string, rules: readonly Rule[]) =>
      restricted.create(roles, rbacObject("Role", { name, namespace }, { rules }));
    const error = await refusal(
      role("greedy", [{ apiGroups: [""], resources: ["configmaps", "secrets"], verbs: ["get", "delete"] }]),
    );
    expect(error).toMatchObject({ code: "Forbidden", status: 403 });
    expect(error.message).toContain(
      `roles.${group} "greedy" is forbidden: user "controller" (groups=["controllers" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n` +
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete"]}',
    );
    expect(await role("modest", [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }])).toMatchObject({
      metadata: { name: "modest" },
    });
    const binding = (kind: string, name: string) =>
      restricted.create(
        roleBindings,
        rbacObject(
          "RoleBinding",
          { name, namespace },
          { roleRef: { apiGroup: group, kind, name }, subjects: [controller] },
        ),
      );
    expect(await refusal(binding("ClusterRole", "cluster-admin"))).toMatchObject({ code: "Forbidden" });
    expect(
      await eventually("binding one's own rights", () => binding("Role", "modest").catch(() => undefined)),
    ).toMatchObject({ kind: "RoleBinding" });
  });

  it("refuses rules that say nothing, and a binding that changes its role", async () => {
    const context = get();
    const { admin } = context;
    const namespace = await freshNamespace(context);
    const rules = [{ verbs: [] }, { verbs: ["get"], nonResourceURLs: ["/x"] }];
    const invalid = await refusal(admin.create(roles, rbacObject("Role", { name: "empty", namespace }, { rules })));
    expect(invalid).toMatchObject({ code: "Invalid", status: 422 });
    expect(invalid.causes.map(({ field }) => field)).toEqual([
      "rules[0].verbs",
      "rules[0].apiGroups",
      "rules[0].resources",
      "rules[1].nonResourceURLs",
    ]);
    const roleRef = { kind: "Role", name: "some" };
    const subjects = [
      { kind: "User", name: "x" },
      { kind: "ServiceAccount", name: "y", namespace },
    ];
    const created = await admin.create(
      roleBindings,
      rbacObject("RoleBinding", { name: "fixed", namespace }, { roleRef, subjects }),
    );
    expect(created).toMatchObject({
      roleRef: { apiGroup: group },
      subjects: [{ kind: "User", apiGroup: group }, { kind: "ServiceAccount" }],
    });
    const changed = admin.patch(
      roleBindings,
      { namespace, name: "fixed" },
      { type: "merge", body: { roleRef: { name: "other" } } },
    );
    expect((await refusal(changed)).causes).toMatchObject([{ field: "roleRef", reason: "FieldValueInvalid" }]);
  });

  it("lets those with the right act as somebody else, with that user's rights alone", async () => {
    const { transport, namespace } = get();
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const asAdmin = await rawRequest(transport, path, { "impersonate-user": "controller" });
    expect([asAdmin.status, asAdmin.json()["message"]]).toEqual([
      403,
      expect.stringContaining('User "controller" cannot list'),
    ]);
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
    const account = { "impersonate-user": "system:serviceaccount:here:robot" };
    const who = await rawRequest(transport, "/apis/authentication.k8s.io/v1/selfsubjectreviews", account, {
      method: "POST",
      body,
    });
    expect(who.json()).toMatchObject({
      status: {
        userInfo: {
          username: "system:serviceaccount:here:robot",
          groups: ["system:serviceaccounts", "system:serviceaccounts:here", "system:authenticated"],
        },
      },
    });
  });

  reviewBehaviours(get);
}

function rbacObject(kind: string, metadata: ObjectMeta, rest: object): KubeObject {
  return { apiVersion: `${group}/v1`, kind, metadata, ...rest };
}

async function freshNamespace({ admin, unique, cleanup }: ContractContext): Promise<string> {
  const name = unique("rbac");
  await admin.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  cleanup(() => admin.delete(namespaces, { name }));
  return name;
}

/** A role with these rules for user `controller` in one namespace. */
async function bind({ admin }: ContractContext, namespace: string, rules: readonly Rule[]): Promise<void> {
  const metadata = { name: "bound", namespace };
  await admin.create(roles, rbacObject("Role", metadata, { rules }));
  const roleRef = { apiGroup: group, kind: "Role", name: "bound" };
  await admin.create(roleBindings, rbacObject("RoleBinding", metadata, { roleRef, subjects: [controller] }));
}

function allowed(user: Kube, namespace: string, attributes: Readonly<Record<string, string>>): Promise<true> {
  return eventually("getting the right", async () => (await can(user, namespace, attributes)) || undefined);
}

function can(user: Kube, namespace: string, attributes: Readonly<Record<string, string>>): Promise<boolean> {
  return restrictedCan(user, { resourceAttributes: { namespace, ...attributes } });
}

async function restrictedCan(user: Kube, spec: object): Promise<boolean> {
  const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec };
  const answer = await user.request({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body,
  });
  return Object(Object(answer).status).allowed === true;
}
