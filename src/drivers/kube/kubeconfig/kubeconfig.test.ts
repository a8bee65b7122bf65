import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { VirtualClock } from "../../../../test/support/virtual-clock.ts";
import type { ClusterConnection } from "./connection.ts";
import { type LoadKubeconfigOptions, loadKubeconfig } from "./kubeconfig.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mainstay-kubeconfig-"));
});
afterAll(() => rm(folder, { recursive: true }));

const base64 = (text: string) => Buffer.from(text).toString("base64");

interface Parts {
  readonly cluster?: unknown;
  readonly user?: unknown;
  readonly context?: unknown;
}

/** A file with one cluster, one user and one context that joins them. */
function config(name: string, { cluster, user, context }: Parts = {}): unknown {
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: cluster ?? { server: `https://${name}.example:6443` } }],
    users: [{ name, user: user ?? { token: `token-of-${name}` } }],
    contexts: [{ name, context: context ?? { cluster: name, user: name } }],
    "current-context": name,
  };
}

let files = 0;
async function write(content: unknown, name = `config-${(files += 1)}`): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : stringify(content));
  return path;
}

function load(options: Partial<LoadKubeconfigOptions>): Promise<ClusterConnection> {
  return loadKubeconfig({ environment: {}, home: folder, clock: new VirtualClock(), ...options });
}

async function loaded(parts: Parts): Promise<ClusterConnection> {
  return load({ path: await write(config("a", parts)) });
}

const problemsOf = (parts: Parts) => loaded(parts).then(() => "no problem", String);

describe("which files", () => {
  it("takes the path that is given over everything else", async () => {
    const path = await write(config("a"));
    const other = await write(config("b"));
    expect(await load({ path, environment: { KUBECONFIG: other } })).toMatchObject({
      server: "https://a.example:6443",
    });
  });

  it("merges the files of KUBECONFIG: the first one that has a name wins, absent ones are passed over", async () => {
    const first = await write({ ...(config("a") as object), "current-context": "" });
    const second = await write({
      clusters: [
        { name: "a", cluster: { server: "https://shadowed.example" } },
        { name: "b", cluster: { server: "https://b.example" } },
      ],
      contexts: [{ name: "b", context: { cluster: "b", user: "a", namespace: "shop" } }],
      "current-context": "b",
    });
    const environment = { KUBECONFIG: [first, join(folder, "absent"), second, ""].join(":") };
    const connection = await load({ environment });
    expect(connection).toMatchObject({ server: "https://b.example", namespace: "shop" });
    expect(await connection.credentials.current()).toEqual({ headers: { authorization: "Bearer token-of-a" } });
    expect(await load({ environment, context: "a" })).toMatchObject({ server: "https://a.example:6443" });
  });

  it("falls back to .kube/config at home", async () => {
    await mkdir(join(folder, ".kube"), { recursive: true });
    await write(config("home"), ".kube/config");
    expect(await load({})).toMatchObject({ server: "https://home.example:6443", namespace: "default" });
  });

  it("says where it looked when there is no file", async () => {
    const path = join(folder, "absent");
    await expect(load({ path })).rejects.toMatchObject({
      reason: "ConfigurationInvalid",
      message: `kubeconfig: no file at ${path}`,
    });
  });

  it("says so when what is there is no file", async () => {
    await expect(load({ path: folder })).rejects.toMatchObject({ message: `kubeconfig: ${folder} cannot be read` });
  });
});

describe("clusters", () => {
  it("reads inline authorities, also when they are folded over lines", async () => {
    const data = base64("PEM".repeat(30));
    const cluster = {
      server: "https://a.example",
      "certificate-authority-data": `${data.slice(0, 40)}\n${data.slice(40)}\n`,
    };
    expect(await (await loaded({ cluster })).trust()).toEqual({ insecure: false, authorities: "PEM".repeat(30) });
  });

  it("reads authorities from a file beside the kubeconfig, whatever the working directory", async () => {
    await write("PEM", "ca.crt");
    const cluster = { server: "https://a.example", "certificate-authority": "ca.crt", "tls-server-name": "kubernetes" };
    expect(await (await loaded({ cluster })).trust()).toEqual({
      insecure: false,
      authorities: "PEM",
      serverName: "kubernetes",
    });
  });

  it("trusts anybody only when told to", async () => {
    const cluster = { server: "https://a.example", "insecure-skip-tls-verify": true };
    expect(await (await loaded({ cluster })).trust()).toEqual({ insecure: true });
  });

  it("takes the cluster's proxy over the environment's", async () => {
    const environment = { HTTPS_PROXY: "http://env.example:1" };
    const plain = await write(config("a"));
    expect(await load({ path: plain, environment })).toMatchObject({ proxy: "http://env.example:1" });
    const own = { server: "https://a.example", "proxy-url": "socks5://own.example:2" };
    const path = await write(config("a", { cluster: own }));
    expect(await load({ path, environment })).toMatchObject({ proxy: "socks5://own.example:2" });
  });
});

describe("users", () => {
  const presents = async (user: unknown) => (await loaded({ user })).credentials.current();

  it("presents a client certificate, inline before file", async () => {
    await write("file cert", "client.crt");
    await write("file key", "client.key");
    const inline = { "client-certificate-data": base64("inline cert"), "client-key-data": base64("inline key") };
    const file = { "client-certificate": "client.crt", "client-key": "client.key" };
    expect(await presents(file)).toEqual({ headers: {}, certificate: { certificate: "file cert", key: "file key" } });
    expect(await presents({ ...file, ...inline })).toEqual({
      headers: {},
      certificate: { certificate: "inline cert", key: "inline key" },
    });
  });

  it("presents a token file before a token", async () => {
    await write("from-file\n", "token");
    expect(await presents({ token: "inline", tokenFile: "token" })).toEqual({
      headers: { authorization: "Bearer from-file" },
    });
  });

  it("presents a user name and password", async () => {
    expect(await presents({ username: "jane", password: "p:w" })).toEqual({
      headers: { authorization: `Basic ${base64("jane:p:w")}` },
    });
  });

  it("presents nothing for a context without a user", async () => {
    const connection = await loaded({ context: { cluster: "a" } });
    expect(await connection.credentials.current()).toEqual({ headers: {} });
    expect(await connection.credentials.refresh()).toBe(false);
  });

  it("acts as somebody else", async () => {
    const user = {
      token: "t",
      as: "jane",
      "as-uid": "7",
      "as-groups": ["a", "b"],
      "as-user-extra": { "Scopes/x": ["view"] },
    };
    expect(await presents(user)).toEqual({
      headers: {
        authorization: "Bearer t",
        "impersonate-user": "jane",
        "impersonate-uid": "7",
        "impersonate-group": ["a", "b"],
        "impersonate-extra-scopes%2Fx": ["view"],
      },
    });
  });
});

describe("bad input", () => {
  const exec = (more: object) => ({ exec: { command: "x", interactiveMode: "Never", ...more } });
  const table: readonly (readonly [string, Parts, string])[] = [
    ["an absent cluster", { context: { cluster: "gone", user: "a" } }, 'context "a": cluster "gone" is not defined'],
    ["an absent user", { context: { cluster: "a", user: "gone" } }, 'context "a": user "gone" is not defined'],
    [
      "an address without a scheme",
      { cluster: { server: "a.example:6443" } },
      'server: "a.example:6443" is not an http',
    ],
    ["no address", { cluster: {} }, 'clusters[0] "a" cluster.server'],
    [
      "trust in two ways",
      { cluster: { server: "https://a", "certificate-authority": "x", "insecure-skip-tls-verify": true } },
      'cluster "a": insecure-skip-tls-verify',
    ],
    ["an unknown kind of proxy", { cluster: { server: "https://a", "proxy-url": "ftp://x" } }, "proxy-url: only http"],
    ["half a certificate", { user: { "client-certificate": "x" } }, 'user "a": client-key: missing'],
    ["half a key", { user: { "client-key": "x" } }, 'user "a": client-certificate: missing'],
    ["a password alone", { user: { password: "x" } }, 'user "a": username: missing'],
    ["a password beside a token", { user: { username: "x", token: "t" } }, "username: cannot stand beside a token"],
    ["groups without a name", { user: { "as-groups": ["a"] } }, "as: missing"],
    ["an auth provider", { user: { "auth-provider": { name: "gcp" } } }, "auth-provider: removed from Kubernetes"],
    ["an old exec plugin", { user: exec({ apiVersion: "client.authentication.k8s.io/v1alpha1" }) }, "exec.apiVersion"],
    [
      "a v1 exec plugin without a mode",
      { user: { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "x" } } },
      "exec.interactiveMode: must be set",
    ],
    ["data that is not base64", { user: { "client-key-data": "!!!" } }, 'users[0] "a" user.client-key-data'],
  ];

  it.each(table)("is refused with its place: %s", async (_, parts, expected) => {
    expect(await problemsOf(parts)).toContain(expected);
  });

  it("is listed all at once", async () => {
    const problems = await problemsOf({
      cluster: { server: "nowhere", "proxy-url": "ftp://x" },
      user: { "client-key": "x", "auth-provider": {} },
    });
    for (const field of ["server:", "proxy-url:", "client-certificate:", "auth-provider:"]) {
      expect(problems).toContain(field);
    }
  });

  it("names the file and the known contexts when the context is unknown", async () => {
    const path = await write(config("a"));
    await expect(load({ path, context: "z" })).rejects.toMatchObject({
      message: `kubeconfig ${path}: context "z": not defined; known contexts: a`,
    });
  });

  it("asks for a context when none is current", async () => {
    const path = await write({ ...(config("a") as object), "current-context": null });
    await expect(load({ path })).rejects.toMatchObject({
      message: expect.stringContaining("current-context: not set"),
    });
  });

  it("shows no secret when the file is no YAML", async () => {
    const path = await write("users: [{token: s3cret-token\n  - ]]");
    const error = await load({ path }).catch(String);
    expect(error).toContain(`${path}: not YAML (line 2, column`);
    expect(error).not.toContain("s3cret-token");
  });

  it("shows no secret when a token has the wrong type", async () => {
    const problems = await problemsOf({ user: { token: { value: "s3cret-token" } } });
    expect(problems).toContain('users[0] "a" user.token');
    expect(problems).not.toContain("s3cret-token");
  });

  it("treats an empty file as one without contexts", async () => {
    const path = await write("");
    await expect(load({ path })).rejects.toMatchObject({ message: expect.stringContaining("there are no contexts") });
  });
});

it("a kubeconfig of a demonstration that has ended is told so, with how to start one", async () => {
  const path = "/nowhere/mainstay-demo-16080/kubeconfig";
  await expect(
    loadKubeconfig({ path, environment: {}, home: "/nowhere", clock: new VirtualClock() }),
  ).rejects.toMatchObject({
    message: `kubeconfig: no file at ${path}: this demonstration is not running`,
    hint: expect.stringContaining("mainstay demo"),
  });
});
