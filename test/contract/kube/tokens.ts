// Tokens of service accounts: asked for by the subresource `token`, accepted by TokenReview and by the server itself.

import { expect, it } from "vitest";
import { present } from "../../../src/core/present.ts";
import type { ContractContext, GetContext } from "../kube-target.ts";
import { call, created, fieldsOf, pathOf } from "./api-calls.ts";

const issuer = "https://kubernetes.default.svc";

export function tokenBehaviours(get: GetContext): void {
  const account = async (name = get().unique("robot")) => {
    await created(get, pathOf(get, "serviceaccounts"), { metadata: { name } });
    return name;
  };
  const pathFor = (name: string) => `${pathOf(get, "serviceaccounts", name)}/token`;
  const ask = (name: string, spec: object = {}, metadata: object = {}) =>
    call(get, "POST", pathFor(name), {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata,
      spec,
    });
  const tokenOf = async (name: string, spec: object = {}): Promise<string> => (await ask(name, spec)).body.status.token;

  it("issues a token that is its account's, for the server itself, for an hour", async () => {
    const { namespace } = get();
    const name = await account();
    const { status, body } = await ask(name);
    expect([status, body.kind, body.apiVersion]).toEqual([201, "TokenRequest", "authentication.k8s.io/v1"]);
    expect(body.metadata).toMatchObject({ name, namespace });
    expect(body.spec).toEqual({ audiences: [issuer], expirationSeconds: 3_600, boundObjectRef: null });
    const claims = claimsIn(body.status.token);
    expect(claims).toMatchObject({
      sub: `system:serviceaccount:${namespace}:${name}`,
      aud: [issuer],
      iss: issuer,
      "kubernetes.io": { namespace, serviceaccount: { name } },
    });
    expect(claims.exp - claims.iat).toBe(3_600);
    expect(Date.parse(body.status.expirationTimestamp)).toBe(claims.exp * 1_000);
    const { uid } = (await call(get, "GET", pathOf(get, "serviceaccounts", name))).body.metadata;
    expect(await review(get(), body.status.token)).toEqual({
      authenticated: true,
      user: {
        username: `system:serviceaccount:${namespace}:${name}`,
        uid,
        groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
        extra: { "authentication.kubernetes.io/credential-id": [`JTI=${claims.jti}`] },
      },
      audiences: [issuer],
    });
  });

  it("lets the account in by its token, with its own rights", async () => {
    const { namespace } = get();
    const name = await account();
    const kube = await get().bearer(await tokenOf(name));
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
    expect(await kube.request({ method: "POST", path, body })).toMatchObject({
      status: { userInfo: { username: `system:serviceaccount:${namespace}:${name}` } },
    });
    await expect(kube.request({ method: "GET", path: pathOf(get, "secrets") })).rejects.toMatchObject({
      code: "Forbidden",
    });
    const elsewhere = await get().bearer(await tokenOf(name, { audiences: ["elsewhere"] }));
    await expect(elsewhere.request({ method: "POST", path, body })).rejects.toMatchObject({ code: "Unauthorized" });
  });

  it("makes a token for other audiences good for those and for nobody else", async () => {
    const token = await tokenOf(await account(), { audiences: ["a", "b"] });
    expect(claimsIn(token).aud).toEqual(["a", "b"]);
    expect(await review(get(), token, ["b", "c"])).toMatchObject({ authenticated: true, audiences: ["b"] });
    expect(await review(get(), token)).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["a" "b"] is invalid for the target audiences ["${issuer}"]]`,
    });
    const { restrictedToken } = get();
    expect(await review(get(), restrictedToken, ["b"])).toEqual({ user: {}, error: "invalid bearer token" });
    expect(await review(get(), restrictedToken, ["b", issuer])).toMatchObject({
      authenticated: true,
      audiences: [issuer],
    });
  });

  it("wants a time that is neither too short nor too long", async () => {
    const name = await account();
    for (const expirationSeconds of [0, 599, 2 ** 32 + 1]) {
      const answer = await ask(name, { expirationSeconds });
      expect([answer.status, fieldsOf(answer)]).toEqual([422, ["spec.expirationSeconds"]]);
    }
    const token = await tokenOf(name, { expirationSeconds: 600 });
    expect(claimsIn(token).exp - claimsIn(token).iat).toBe(600);
  });

  it("refuses an account that is not there, one that is called otherwise, and other ways to ask", async () => {
    const name = await account();
    const nobody = await ask("nobody");
    expect([nobody.status, nobody.body.message]).toEqual([404, 'serviceaccounts "nobody" not found']);
    const other = await ask(name, {}, { name: "other" });
    expect([other.status, fieldsOf(other)]).toEqual([422, ["metadata.name"]]);
    expect((await ask(name, {}, { namespace: "elsewhere" })).status).toBe(400);
    const unbindable = await ask(name, { boundObjectRef: { apiVersion: "v1", kind: "Foo", name: "x" } });
    expect([unbindable.status, unbindable.body.message]).toEqual([
      400,
      "cannot bind token to object of type /v1, Kind=Foo",
    ]);
    expect((await call(get, "POST", pathFor(name), { apiVersion: "v1", kind: "Pod" })).status).toBe(400);
    expect((await call(get, "GET", pathFor(name))).status).toBe(405);
    expect((await call(get, "POST", pathOf(get, "configmaps", "x/token"), {})).status).toBe(404);
  });

  it("does not outlive its account, nor pass to another one of the same name", async () => {
    const name = await account();
    const token = await tokenOf(name);
    await call(get, "DELETE", pathOf(get, "serviceaccounts", name));
    expect(await review(get(), token)).toEqual({
      user: {},
      error: `[invalid bearer token, serviceaccounts "${name}" not found]`,
    });
    await account(name);
    expect(await review(get(), token)).toEqual({
      user: {},
      error: expect.stringContaining("does not match claim"),
    });
  });

  it("is asked for by those who may create it", async () => {
    const { restricted } = get();
    const name = await account();
    await expect(restricted.request({ method: "POST", path: pathFor(name), body: {} })).rejects.toMatchObject({
      code: "Forbidden",
      message: expect.stringContaining('cannot create resource "serviceaccounts/token"'),
    });
  });

  it("is discovered", async () => {
    const { body } = await call(get, "GET", "/api/v1");
    expect(body.resources).toContainEqual({
      name: "serviceaccounts/token",
      singularName: "",
      namespaced: true,
      group: "authentication.k8s.io",
      version: "v1",
      kind: "TokenRequest",
      verbs: ["create"],
    });
  });
}

async function review({ admin }: ContractContext, token: string, audiences?: readonly string[]): Promise<unknown> {
  const spec = { token, ...present({ audiences }) };
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec };
  const path = "/apis/authentication.k8s.io/v1/tokenreviews";
  return ((await admin.request({ method: "POST", path, body })) as { readonly status: unknown }).status;
}

interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly jti: string;
}

function claimsIn(token: string): Claims {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) as Claims;
}
