import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VirtualClock } from "../../../../test/support/virtual-clock.ts";
import type { Credentials } from "../kubeconfig/connection.ts";
import { loadKubeconfig } from "../kubeconfig/kubeconfig.ts";
import { execPlugin } from "./exec-plugin.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mainstay-exec-"));
});
afterEach(() => rm(folder, { recursive: true }));

const v1 = "client.authentication.k8s.io/v1";
const v1beta1 = "client.authentication.k8s.io/v1beta1";

/** A plugin that notes every run and prints what `answer` holds at that moment. */
async function plugin(answer: string, script?: string): Promise<void> {
  await writeFile(join(folder, "answer"), answer);
  const lines = [
    "#!/bin/sh",
    'cd "$(dirname "$0")"',
    'printf "%s\\n" "$KUBERNETES_EXEC_INFO" >> runs',
    'printf "%s" "$1 $GREETING" > arguments',
    script ?? "cat answer",
  ];
  await writeFile(join(folder, "plugin"), lines.join("\n"));
  await chmod(join(folder, "plugin"), 0o755);
}

function credential(status: object, apiVersion = v1): string {
  return JSON.stringify({ apiVersion, kind: "ExecCredential", status });
}

const runs = async () => {
  const text = await readFile(join(folder, "runs"), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
};

async function credentials(exec: object = {}, more: { user?: object; interactive?: boolean } = {}) {
  const clock = new VirtualClock({ startMs: Date.parse("2026-01-01T00:00:00Z") });
  const entry = { apiVersion: v1, command: "./plugin", interactiveMode: "Never", ...exec };
  const path = join(folder, "config");
  const extension = { name: "client.authentication.k8s.io/exec", extension: { audience: "here" } };
  const config = {
    clusters: [{ name: "a", cluster: { server: "https://a.example", extensions: [extension] } }],
    users: [{ name: "jane", user: { exec: entry, ...more.user } }],
    contexts: [{ name: "a", context: { cluster: "a", user: "jane" } }],
    "current-context": "a",
  };
  await writeFile(path, JSON.stringify(config));
  const interactive = more.interactive ?? false;
  const environment = { PATH: process.env["PATH"] };
  const connection = await loadKubeconfig({ path, environment, home: folder, clock, interactive });
  return { clock, exec: connection.credentials };
}

const failure = (exec: Credentials) => exec.current().then(() => "no failure", String);

describe("an exec plugin", () => {
  it("gives a token, and is run once for many requests", async () => {
    await plugin(credential({ token: "t1" }));
    const { exec } = await credentials();
    const all = await Promise.all([exec.current(), exec.current(), exec.current()]);
    expect(all).toEqual(Array.from({ length: 3 }, () => ({ headers: { authorization: "Bearer t1" } })));
    await exec.current();
    expect(await runs()).toHaveLength(1);
  });

  it("gives a client certificate, alone or with a token", async () => {
    await plugin(credential({ clientCertificateData: "CERT", clientKeyData: "KEY" }, v1beta1));
    const { exec } = await credentials({ apiVersion: v1beta1 });
    expect(await exec.current()).toEqual({ headers: {}, certificate: { certificate: "CERT", key: "KEY" } });
  });

  it("is run again when its credential is about to expire", async () => {
    await plugin(credential({ token: "t1", expirationTimestamp: "2026-01-01T01:00:00Z" }));
    const { clock, exec } = await credentials();
    await exec.current();
    await plugin(credential({ token: "t2" }));
    await clock.advance(59 * 60_000);
    expect(await exec.current()).toEqual({ headers: { authorization: "Bearer t1" } });
    await clock.advance(60_000);
    expect(await exec.current()).toEqual({ headers: { authorization: "Bearer t2" } });
  });

  it("is run again when the server refuses its credential, and says whether that helps", async () => {
    await plugin(credential({ token: "t1" }));
    const { exec } = await credentials();
    await exec.current();
    expect(await exec.refresh()).toBe(false);
    await plugin(credential({ token: "t2" }));
    expect(await exec.refresh()).toBe(true);
    expect(await exec.current()).toEqual({ headers: { authorization: "Bearer t2" } });
  });

  it("gets its arguments, its environment and what it needs to know", async () => {
    await plugin(credential({ token: "t" }));
    const env = [{ name: "GREETING", value: "hello" }];
    const { exec } = await credentials({ args: ["login"], env, provideClusterInfo: true });
    await exec.current();
    expect(await readFile(join(folder, "arguments"), "utf8")).toBe("login hello");
    expect(await runs()).toEqual([
      {
        apiVersion: v1,
        kind: "ExecCredential",
        spec: { interactive: false, cluster: { server: "https://a.example", config: { audience: "here" } } },
      },
    ]);
  });

  it("learns of the cluster only when it asked to", async () => {
    await plugin(credential({ token: "t" }));
    const { exec } = await credentials();
    await exec.current();
    expect(await runs()).toEqual([{ apiVersion: v1, kind: "ExecCredential", spec: { interactive: false } }]);
  });

  it("is not asked when the user has a token written down", async () => {
    await plugin(credential({ clientCertificateData: "CERT", clientKeyData: "KEY", token: "plugged" }));
    const { exec } = await credentials({}, { user: { token: "written" } });
    expect((await exec.current()).headers).toEqual({ authorization: "Bearer written" });
  });

  it.each([
    ["that fails", credential({ token: "s3cret" }), "echo s3cret; echo s3cret >&2; exit 3", "exited with 3"],
    ["that prints nonsense", "s3cret", undefined, "printed no valid ExecCredential (wrong or missing: output)"],
    ["that prints no status", JSON.stringify({ apiVersion: v1, kind: "ExecCredential" }), undefined, "status"],
    ["that prints nothing of use", credential({}), undefined, "neither a token nor a client certificate"],
    ["that prints half a certificate", credential({ clientKeyData: "s3cret" }), undefined, "half of a client"],
    ["of another version", credential({ token: "s3cret" }, v1beta1), undefined, `printed ${v1beta1}`],
    [
      "with a date nobody can read",
      credential({ token: "s3cret", expirationTimestamp: "soon" }),
      undefined,
      "expiration",
    ],
  ])("fails clearly and keeps its secrets: one %s", async (_, answer, script, expected) => {
    await plugin(answer, script);
    const { exec } = await credentials();
    const error = await failure(exec);
    expect(error).toContain('plugin" of user "jane"');
    expect(error).toContain(expected);
    expect(error).not.toContain("s3cret");
  });

  it("shows the plugin's own hint when it is not installed", async () => {
    const { exec } = await credentials({ command: "mainstay-no-such-command", installHint: "Get it from the shop." });
    await expect(exec.current()).rejects.toMatchObject({
      reason: "NotAuthenticated",
      message: 'exec plugin "mainstay-no-such-command" of user "jane": the command was not found',
      hint: "Get it from the shop.",
    });
  });

  it("is not run without a terminal when it always needs one", async () => {
    await plugin(credential({ token: "t" }));
    const { exec } = await credentials({ interactiveMode: "Always" });
    expect(await failure(exec)).toContain("needs a terminal, and there is none");
    expect(await runs()).toEqual([]);
  });

  it("is ended when it hangs, so that later calls do not wait for it", async () => {
    await plugin("", "exec sleep 60");
    const hung = execPlugin({
      clock: new VirtualClock(),
      environment: { PATH: process.env["PATH"] },
      user: "jane",
      plugin: { apiVersion: v1, command: join(folder, "plugin"), interactiveMode: "Never" },
      cluster: { server: "https://a.example" },
      interactive: false,
      commandLimitMs: 200,
    });
    await expect(hung.current()).rejects.toMatchObject({ reason: "NotAuthenticated" });
  });

  it("is tried again after a failure", async () => {
    await plugin("", "exit 1");
    const { exec } = await credentials();
    await failure(exec);
    await plugin(credential({ token: "t" }));
    expect(await exec.current()).toEqual({ headers: { authorization: "Bearer t" } });
  });
});
