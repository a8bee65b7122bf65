import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatProblem } from "../../apis/text/problem.ts";
import { parseCloud } from "./parse-cloud.ts";

const byPassword = {
  auth_url: "https://keystone.test:5000/v3",
  username: "ops",
  password: "open-sesame",
  user_domain_name: "Default",
  project_name: "shop",
  project_domain_name: "Default",
};

function parse(entry: unknown, source: Partial<Parameters<typeof parseCloud>[1]> = {}) {
  return parseCloud({ clouds: { prod: entry } }, { cloudName: "prod", ...source });
}

function good(entry: unknown, source: Partial<Parameters<typeof parseCloud>[1]> = {}) {
  const parsed = parse(entry, source);
  if (!parsed.ok) throw new Error(parsed.problems.map(formatProblem).join("\n"));
  return parsed;
}

/** Where something is wrong. */
function wrong(entry: unknown, source: Partial<Parameters<typeof parseCloud>[1]> = {}): readonly string[] {
  const parsed = parse(entry, source);
  return parsed.ok ? [] : parsed.problems.map(({ where }) => where);
}

const authOf = (auth: Readonly<Record<string, unknown>>, entry: Readonly<Record<string, unknown>> = {}) =>
  good({ ...entry, auth: { auth_url: "https://k.test", ...auth } }).value.auth;

describe("a cloud", () => {
  it("is understood by password, with everything that people leave out filled in", () => {
    expect(good({ auth: byPassword }).value).toEqual({
      cloudName: "prod",
      authUrl: "https://keystone.test:5000/v3",
      auth: {
        type: "password",
        user: { name: "ops", domain: { name: "Default" } },
        password: "open-sesame",
        scope: { name: "shop", domain: { name: "Default" } },
      },
      interface: "public",
      verifyTls: true,
    });
  });

  it("is understood by ids, and by the domains that stand for both", () => {
    expect(authOf({ user_id: "u1", password: "x", project_id: "p1" })).toMatchObject({
      user: { id: "u1" },
      scope: { id: "p1" },
    });
    for (const domain of [{ domain_id: "d" }, { default_domain: "d" }, { user_domain_id: "d" }]) {
      expect(authOf({ username: "ops", password: "x", project_name: "shop", ...domain })).toMatchObject({
        user: { name: "ops", domain: { id: "d" } },
        scope: { name: "shop", domain: { id: "d" } },
      });
    }
    expect(authOf({ username: "ops", password: "x", tenant_name: "shop", domain_name: "D" })).toMatchObject({
      scope: { name: "shop", domain: { name: "D" } },
    });
  });

  it("is understood by application credential, with or without its type said", () => {
    const byId = { application_credential_id: "a1", application_credential_secret: "s" };
    const expected = { type: "application-credential", credential: { id: "a1" }, secret: "s" };
    expect(authOf(byId)).toEqual(expected);
    expect(authOf(byId, { auth_type: "v3applicationcredential" })).toEqual(expected);
    const byName = { application_credential_name: "ci", application_credential_secret: "s", username: "ops" };
    expect(authOf({ ...byName, user_domain_name: "Default" })).toEqual({
      type: "application-credential",
      credential: { name: "ci", user: { name: "ops", domain: { name: "Default" } } },
      secret: "s",
    });
  });

  it("is understood by token, with or without a project", () => {
    expect(authOf({ token: "t" })).toEqual({ type: "token", token: "t" });
    expect(authOf({ token: "t", project_id: "p" }, { auth_type: "v3token" })).toEqual({
      type: "token",
      token: "t",
      scope: { id: "p" },
    });
  });

  it("takes the region that the object names before its own", () => {
    const entry = { auth: byPassword, region_name: "RegionOne" };
    expect(good(entry).value.region).toBe("RegionOne");
    expect(good(entry, { region: "RegionTwo" }).value.region).toBe("RegionTwo");
    expect(good(entry, { region: "" }).value.region).toBe("RegionOne");
  });

  it.each([
    [{ interface: "internal" }, "internal"],
    [{ endpoint_type: "internalURL" }, "internal"],
    [{ endpoint_type: "admin" }, "admin"],
    [{ interface: ["internal", "public"] }, "internal"],
    [{ interface: "public", endpoint_type: "admin" }, "public"],
    [{}, "public"],
  ])("reads %j as interface %s", (fields, expected) => {
    expect(good({ auth: byPassword, ...fields }).value.interface).toBe(expected);
  });

  it("says which of two different interfaces it took, that nothing is verified, and which files it cannot read", () => {
    const entry = {
      auth: byPassword,
      interface: "public",
      endpoint_type: "internal",
      verify: false,
      cacert: "/etc/ca",
    };
    expect(good(entry).notes).toHaveLength(3);
    expect(good(entry).value).toMatchObject({ verifyTls: false });
    expect(good({ auth: byPassword, verify: true }).notes).toEqual([]);
  });

  it("takes the authority from beside it", () => {
    const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    expect(good({ auth: byPassword }, { caCertificate: pem }).value.caCertificate).toBe(pem);
    expect(good({ auth: byPassword }, { caCertificate: " \n" }).value).not.toHaveProperty("caCertificate");
    expect(wrong({ auth: byPassword }, { caCertificate: "/etc/ssl/ca.pem" })).toEqual(["cacert"]);
    expect(wrong({ auth: byPassword }, { caCertificate: `${pem}-----BEGIN PRIVATE KEY-----` })).toEqual(["cacert"]);
  });
});

describe("what is wrong", () => {
  it("is all told at once", () => {
    expect(wrong({ auth: { auth_url: "keystone", username: "ops" }, verify: "maybe", interface: "outer" })).toEqual([
      "clouds.prod.auth.auth_url",
      "clouds.prod.auth.user_domain_name",
      "clouds.prod.auth.password",
      "clouds.prod.auth.project_id",
      "clouds.prod.interface",
      "clouds.prod.verify",
    ]);
  });

  it.each<readonly [string, unknown, readonly string[]]>([
    ["no auth", {}, ["clouds.prod.auth"]],
    ["no project", { auth: { ...byPassword, project_name: undefined } }, ["clouds.prod.auth.project_id"]],
    [
      "no domain of the project",
      { auth: { auth_url: "https://k", user_id: "u", password: "x", project_name: "p" } },
      ["clouds.prod.auth.project_domain_name"],
    ],
    ["a number for a password", { auth: { ...byPassword, password: 1234 } }, ["clouds.prod.auth.password"]],
    ["the old identity API", { auth: byPassword, identity_api_version: 2 }, ["clouds.prod.identity_api_version"]],
    ["another kind of login", { auth: byPassword, auth_type: "v3oidcpassword" }, ["clouds.prod.auth_type"]],
    ["system scope", { auth: { ...byPassword, system_scope: "all" } }, ["clouds.prod.auth.system_scope"]],
    [
      "no secret",
      { auth: { auth_url: "https://k", application_credential_id: "a" } },
      ["clouds.prod.auth.application_credential_secret"],
    ],
    [
      "a password in the address",
      { auth: { ...byPassword, auth_url: "https://ops:x@k.test" } },
      ["clouds.prod.auth.auth_url"],
    ],
  ])("is named for %s", (_, entry, places) => {
    expect(wrong(entry)).toEqual(places);
  });

  it("names the clouds there are when the one asked for is not among them", () => {
    const parsed = parseCloud({ clouds: { production: {}, test: {} } }, { cloudName: "prodution" });
    expect(parsed).toMatchObject({ ok: false, problems: [{ where: "cloudName" }] });
    expect(parsed.ok ? "" : parsed.problems[0]?.hint).toContain("production");
    expect(parseCloud({ clouds: { a: {} } }, { cloudName: "toString" })).toMatchObject({ ok: false });
    expect(parseCloud({ clouds: { a: {} } }, { cloudName: "" })).toMatchObject({ ok: false });
    for (const document of [undefined, null, "x", [], { clouds: [] }]) {
      expect(parseCloud(document, { cloudName: "a" })).toMatchObject({ ok: false, problems: [{ where: "clouds" }] });
    }
  });

  it.each([
    "admin:c4n4ry@keystone:5000/v3",
    "HTTPS://admin:c4n4ry@keystone/v3",
    "https://admin:c4n4ry@keystone/v3",
    "https://admin:c4/n4ry@keystone/v3",
    "https:/admin:c4n4ry@keystone/v3",
    "https://keystone/v3?token=c4n4ry",
    "https://admin:c4n4ry",
    "c4n4ry",
  ])("is the address, and nothing of it is shown: %s", (auth_url) => {
    const parsed = parse({ auth: { ...byPassword, auth_url } });
    expect(wrong({ auth: { ...byPassword, auth_url } })).toEqual(["clouds.prod.auth.auth_url"]);
    const told = parsed.ok ? "" : parsed.problems.map(formatProblem).join();
    for (const part of ["c4n4ry", "c4", "n4ry", "admin"]) expect(told).not.toContain(part);
  });

  it.each([
    "https://keystone",
    "http://10.0.0.1:5000/v3",
    "https://[2001:db8::1]:5000/identity/v3/",
    "https://k_1.a-b.test",
  ])("is nothing about the plain address %s", (auth_url) => {
    expect(good({ auth: { ...byPassword, auth_url } }).value.authUrl).toBe(auth_url.replace(/\/$/, ""));
  });

  it("shows no value of the file, in whichever field a secret came to stand", () => {
    const secret = "c4n4ry-value";
    const fields = ["interface", "endpoint_type", "verify", "identity_api_version", "auth_type", "cacert"];
    const within = ["auth_url", "username", "project_name", "trust_id"];
    const value = fc.constantFrom<unknown>(secret, [secret], { x: secret }, undefined);
    const some = (names: readonly string[]) => fc.record(Object.fromEntries(names.map((name) => [name, value])));
    fc.assert(
      fc.property(some(fields), some(within), (entry, auth) => {
        const parsed = parse({ ...entry, auth: { password: secret, ...auth } });
        const told = parsed.ok ? parsed.notes.join() : parsed.problems.map(formatProblem).join();
        expect(told).not.toContain(secret);
      }),
    );
  });

  it("never shows a secret, whatever else is wrong", () => {
    const secret = "c4n4ry-value";
    const fields = ["password", "token", "application_credential_secret"] as const;
    const value = fc.constantFrom<unknown>(secret, [secret], { x: secret }, undefined);
    const odd = fc.constantFrom<unknown>(undefined, "x", 7, "https://ok.test");
    const address = fc.oneof(odd, fc.constantFrom(`https://a:${secret}@k.test`, `https://${secret}@k.test`));
    fc.assert(
      fc.property(
        fc.record({ auth_url: address, username: odd, project_id: odd, auth_type: odd }),
        fc.tuple(value, value, value),
        (auth, secrets) => {
          const held = Object.fromEntries(fields.map((name, index) => [name, secrets[index]]));
          const parsed = parse({ auth_type: auth.auth_type, auth: { ...auth, ...held } });
          const told = parsed.ok ? parsed.notes.join() : parsed.problems.map(formatProblem).join();
          expect(told).not.toContain(secret);
        },
      ),
    );
  });
});
