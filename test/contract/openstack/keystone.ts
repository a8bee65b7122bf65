// Who gets in, and as whom.

import { expect, it } from "vitest";
import type { CloudConfig } from "../../../src/core/openstack/cloud-config.ts";
import { complaint, type GetStage, outcome } from "./stage.ts";

export function keystoneBehaviours(get: GetStage): void {
  it("knows the project of a password", async () => {
    const { member, made } = get();
    expect((await member.identify()).projectId).toBe(made.projectId);
  });

  it("knows the project of an application credential without being told", async () => {
    const { member, project } = get();
    const [byPassword, byCredential] = [await member.identify(), await project("application-credential").identify()];
    expect(byCredential).toEqual({ ...byPassword, tokenKey: byCredential.tokenKey });
  });

  it("tells projects apart", async () => {
    const { member, project, made } = get();
    const other = await project("other").identify();
    expect(other.projectId).toBe(made.otherProjectId);
    expect(other.endpointKey).not.toBe((await member.identify()).endpointKey);
  });

  it("tells credentials apart, and not their copies", async () => {
    const { openStack, cloud, project } = get();
    const copy = openStack.project({ ...cloud("password"), cloudName: "copy" });
    const { tokenKey } = await openStack.project(cloud("password")).identify();
    expect((await copy.identify()).tokenKey).toBe(tokenKey);
    expect((await project("other").identify()).tokenKey).not.toBe(tokenKey);
    expect((await project("application-credential").identify()).tokenKey).not.toBe(tokenKey);
  });

  it("knows the region in use, whether it is named or not", async () => {
    const { member, openStack, cloud } = get();
    const { region: _, ...unnamed } = cloud("password");
    const { region } = await member.identify();
    expect(region).not.toBe("");
    expect((await openStack.project(unnamed).identify()).region).toBe(region);
  });

  it("says which services there are", async () => {
    const { services } = await get().member.identify();
    expect(services).toEqual(expect.arrayContaining(["identity", "network", "load-balancer"]));
  });

  it("refuses a wrong password, and does not repeat it", async () => {
    const { openStack, cloud } = get();
    const spoiled = withPassword(cloud("password"), "not-the-password-4711");
    expect(await outcome(openStack.project(spoiled).identify())).toBe("Unauthorized");
    expect(await complaint(openStack.project(spoiled).identify())).not.toContain("4711");
    expect(await outcome(openStack.project(spoiled).octavia.listProviders())).toBe("Unauthorized");
  });

  it("refuses a wrong secret of an application credential", async () => {
    const { openStack, cloud } = get();
    const config = cloud("application-credential");
    if (config.auth.type !== "application-credential") throw new Error("the target gave other credentials");
    const spoiled = { ...config, auth: { ...config.auth, secret: "not-the-secret" } };
    expect(await outcome(openStack.project(spoiled).identify())).toBe("Unauthorized");
  });

  it("refuses a user without a role in the project", async () => {
    const { openStack, cloud, made } = get();
    const config = cloud("password");
    if (config.auth.type !== "password") throw new Error("the target gave other credentials");
    const elsewhere = { ...config, auth: { ...config.auth, scope: { id: made.otherProjectId } } };
    expect(await outcome(openStack.project(elsewhere).identify())).toBe("Unauthorized");
  });

  it("takes a token in place of a password", async () => {
    const { openStack, cloud, raw, made } = get();
    const config = cloud("password");
    const answer = await raw("password", {
      service: "keystone",
      method: "POST",
      path: "/v3/auth/tokens",
      body: login(config),
      anonymous: true,
    });
    expect(answer.status).toBe(201);
    const token = answer.headers["x-subject-token"] ?? "";
    const byToken = openStack.project({ ...config, auth: { type: "token", token } });
    expect((await byToken.identify()).projectId).toBe(made.projectId);
    expect(await outcome(byToken.octavia.listProviders())).toBe("done");
  });

  it("has no services in a region that is not in the catalogue", async () => {
    const { openStack, cloud } = get();
    const away = openStack.project({ ...cloud("password"), region: "nowhere" });
    expect(await outcome(away.octavia.version())).toBe("NoSuchService");
    expect(await outcome(away.neutron.extensions())).toBe("NoSuchService");
  });

  it("lets nobody in without a token, or with one that nobody issued", async () => {
    const { raw } = get();
    const call = { service: "octavia", method: "GET", path: "/v2.0/lbaas/loadbalancers", anonymous: true } as const;
    expect((await raw("password", call)).status).toBe(401);
    expect((await raw("password", { ...call, headers: { "x-auth-token": "invented" } })).status).toBe(401);
    const networks = { service: "neutron", method: "GET", path: "/v2.0/networks", anonymous: true } as const;
    expect((await raw("password", networks)).status).toBe(401);
  });

  it("no longer takes a token that was revoked; other services go on for minutes with one that they know", async () => {
    const { cloud, raw } = get();
    const body = login(cloud("password"));
    const keystone = { service: "keystone", path: "/v3/auth/tokens", anonymous: true } as const;
    const fresh = async () =>
      (await raw("password", { ...keystone, method: "POST", body })).headers["x-subject-token"] ?? "";
    const use = async (token: string) => {
      const call = { service: "octavia", method: "GET", path: "/v2.0/lbaas/providers", anonymous: true } as const;
      return (await raw("password", { ...call, headers: { "x-auth-token": token } })).status;
    };
    const [known, unknown] = [await fresh(), await fresh()];
    expect(await use(known)).toBe(200);
    for (const token of [known, unknown]) {
      const headers = { "x-auth-token": token, "x-subject-token": token };
      expect((await raw("password", { ...keystone, method: "DELETE", headers })).status).toBe(204);
      expect((await raw("password", { ...keystone, method: "GET", headers })).status).toBe(401);
    }
    expect(await use(known)).toBe(200);
    expect(await use(unknown)).toBe(401);
  });

  it("gives a token for a token no scope but the one that is asked for", async () => {
    const { cloud, raw } = get();
    const keystone = { service: "keystone", method: "POST", path: "/v3/auth/tokens", anonymous: true } as const;
    const made = await raw("password", { ...keystone, body: login(cloud("password")) });
    const identity = { methods: ["token"], token: { id: made.headers["x-subject-token"] } };
    const { status, body } = await raw("password", { ...keystone, body: { auth: { identity } } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ token: { methods: expect.arrayContaining(["token"]) as unknown } });
    expect(body).not.toHaveProperty("token.project");
  });

  it("gets a new token when the old one is refused", async (context) => {
    const { faults, member } = get();
    await member.octavia.listProviders();
    if (faults.revokeTokens === undefined) return context.skip("this target cannot revoke the driver's token");
    await faults.revokeTokens("password");
    expect(await outcome(member.octavia.listProviders())).toBe("done");
    expect(await outcome(member.neutron.extensions())).toBe("done");
  });
}

function withPassword(config: CloudConfig, password: string): CloudConfig {
  if (config.auth.type !== "password") throw new Error("the target gave other credentials");
  return { ...config, auth: { ...config.auth, password } };
}

function login({ auth }: CloudConfig): unknown {
  if (auth.type !== "password") throw new Error("the target gave other credentials");
  const user = { ...auth.user, password: auth.password };
  const identity = { methods: ["password"], password: { user } };
  return { auth: { identity, scope: { project: auth.scope } } };
}
