// Reviews: questions about users and rights that the server answers and forgets.

import { expect, it } from "vitest";
import { present } from "../../../src/core/present.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import type { GetContext } from "../kube-target.ts";
import { rawRequest } from "./raw-request.ts";
import { refusal } from "./samples.ts";

export function reviewBehaviours(get: GetContext): void {
  it("tells who asks", async () => {
    const { restricted } = get();
    expect(await ask(restricted, "authentication.k8s.io", "SelfSubjectReview", undefined)).toMatchObject({
      kind: "SelfSubjectReview",
      status: { userInfo: { username: "controller", groups: ["controllers", "system:authenticated"] } },
    });
  });

  it("says whose a token is", async () => {
    const { admin, restrictedToken } = get();
    const answer = await ask(admin, "authentication.k8s.io", "TokenReview", { token: restrictedToken });
    expect(answer).toMatchObject({
      kind: "TokenReview",
      status: {
        authenticated: true,
        user: { username: "controller", groups: ["controllers", "system:authenticated"] },
      },
    });
  });

  it("says that a token is nobody's, and wants one to judge", async () => {
    const { admin } = get();
    const answer = await ask(admin, "authentication.k8s.io", "TokenReview", { token: "a-token-nobody-issued" });
    expect(answer).toMatchObject({ status: { error: expect.any(String) } });
    expect(answer).not.toMatchObject({ status: { authenticated: true } });
    expect(await refusal(ask(admin, "authentication.k8s.io", "TokenReview", {}))).toMatchObject({
      code: "BadRequest",
      status: 400,
    });
  });

  it("judges the rights of others for those who may ask, and says why they are allowed", async () => {
    const { admin, restricted, namespace } = get();
    const about = (groups: readonly string[], attributes: object) =>
      ask(admin, "authorization.k8s.io", "SubjectAccessReview", { user: "somebody", groups, ...attributes });
    expect(await about([], { resourceAttributes: { namespace, verb: "get", resource: "pods" } })).toMatchObject({
      status: { allowed: false },
    });
    expect(
      await about(["system:masters"], { resourceAttributes: { namespace, verb: "get", resource: "pods" } }),
    ).toMatchObject({ status: { allowed: true } });
    expect(
      await about(["system:authenticated"], { nonResourceAttributes: { verb: "get", path: "/api" } }),
    ).toMatchObject({
      status: {
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
      },
    });
    const spec = { user: "somebody", resourceAttributes: { namespace, verb: "get", resource: "pods" } };
    expect(await refusal(ask(restricted, "authorization.k8s.io", "SubjectAccessReview", spec))).toMatchObject({
      code: "Forbidden",
    });
  });

  it("refuses reviews that ask about nobody, about nothing, or about another namespace", async () => {
    const { admin, namespace } = get();
    const resourceAttributes = { namespace, verb: "get", resource: "pods" };
    const fields = async (kind: string, spec: object, path?: string) =>
      (await refusal(ask(admin, "authorization.k8s.io", kind, spec, path))).causes.map(({ field }) => field);
    expect(await fields("SubjectAccessReview", { resourceAttributes })).toEqual(["spec.user"]);
    expect(await fields("SelfSubjectAccessReview", {})).toEqual(["spec.resourceAttributes"]);
    const spec = { user: "x", resourceAttributes: { ...resourceAttributes, namespace: "elsewhere" } };
    const path = `/apis/authorization.k8s.io/v1/namespaces/${namespace}/localsubjectaccessreviews`;
    expect(await fields("LocalSubjectAccessReview", spec, path)).toEqual(["spec.resourceAttributes.namespace"]);
  });

  it("lists a user's rules in a namespace", async () => {
    const { restricted, namespace } = get();
    const answer = await ask(restricted, "authorization.k8s.io", "SelfSubjectRulesReview", { namespace });
    const reviews = {
      verbs: ["create"],
      apiGroups: ["authorization.k8s.io"],
      resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
    };
    expect(answer).toMatchObject({
      status: {
        resourceRules: expect.arrayContaining([reviews]),
        nonResourceRules: expect.arrayContaining([
          expect.objectContaining({ nonResourceURLs: expect.arrayContaining(["/version"]) }),
        ]),
        incomplete: false,
      },
    });
  });

  it("keeps no review", async () => {
    const { transport } = get();
    expect((await rawRequest(transport, "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")).status).toBe(405);
  });
}

function ask(
  user: Kube,
  group: string,
  kind: string,
  spec: object | undefined,
  path = `/apis/${group}/v1/${kind.toLowerCase()}s`,
): Promise<unknown> {
  const body = { apiVersion: `${group}/v1`, kind, ...present({ spec }) };
  return user.request({ method: "POST", path, body });
}
