import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VirtualClock } from "../../../../test/support/virtual-clock.ts";
import { clusterConnection } from "../kubeconfig/cluster-connection.ts";
import { inClusterConnection } from "../kubeconfig/in-cluster.ts";
import { rotatingFile } from "./rotating-file.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mainstay-rotating-"));
});
afterEach(() => rm(folder, { recursive: true }));

const put = (name: string, text: string) => writeFile(join(folder, name), text);
const environment = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };

describe("a file that somebody replaces", () => {
  it("is seen anew within a minute, and not read for every request", async () => {
    const clock = new VirtualClock();
    await put("token", "old");
    const file = rotatingFile(clock, join(folder, "token"), "token");
    expect(await file.read()).toBe("old");
    await put("token", "new");
    expect(await file.read()).toBe("old");
    await clock.advance(60_000);
    expect(await file.read()).toBe("new");
  });

  it("keeps its last text while it is gone or empty", async () => {
    const clock = new VirtualClock();
    await put("token", "old");
    const file = rotatingFile(clock, join(folder, "token"), "token");
    await file.read();
    await put("token", "");
    await clock.advance(60_000);
    expect(await file.read()).toBe("old");
    await rm(join(folder, "token"));
    expect(await file.read()).toBe("old");
  });

  it("is read at once when the server refuses what it said", async () => {
    await put("token", "old");
    const file = rotatingFile(new VirtualClock(), join(folder, "token"), "token");
    await file.read();
    expect(await file.reload()).toBe(false);
    await put("token", "new");
    expect(await file.reload()).toBe(true);
    expect(await file.read()).toBe("new");
  });

  it("is named when it was never there", async () => {
    const path = join(folder, "absent");
    const file = rotatingFile(new VirtualClock(), path, 'tokenFile of user "ci"');
    await expect(file.read()).rejects.toMatchObject({
      reason: "ConfigurationInvalid",
      message: `tokenFile of user "ci": ${path} cannot be read`,
    });
  });
});

describe("the connection from inside a cluster", () => {
  it("follows a token and an authority that rotate", async () => {
    const clock = new VirtualClock();
    await Promise.all([put("token", "one\n"), put("ca.crt", "CA 1"), put("namespace", "shop\n")]);
    const connection = await inClusterConnection({ environment, clock, directory: folder });
    expect(connection).toMatchObject({ server: "https://10.96.0.1:443", namespace: "shop" });
    expect(await connection.credentials.current()).toEqual({ headers: { authorization: "Bearer one" } });
    expect(await connection.trust()).toEqual({ insecure: false, authorities: "CA 1" });
    await Promise.all([put("token", "two\n"), put("ca.crt", "CA 2")]);
    await clock.advance(60_000);
    expect(await connection.credentials.current()).toEqual({ headers: { authorization: "Bearer two" } });
    expect(await connection.trust()).toEqual({ insecure: false, authorities: "CA 2" });
  });

  it("writes an IPv6 address in brackets", async () => {
    await Promise.all([put("token", "t"), put("ca.crt", "CA")]);
    const ipv6 = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "6443" };
    const connection = await inClusterConnection({ environment: ipv6, clock: new VirtualClock(), directory: folder });
    expect(connection).toMatchObject({ server: "https://[fd00::1]:6443", namespace: "default" });
  });

  it("fails at the start, and not at the first request, without a service account", async () => {
    const connecting = inClusterConnection({ environment, clock: new VirtualClock(), directory: folder });
    await expect(connecting).rejects.toMatchObject({ reason: "ConfigurationInvalid" });
  });

  it("says what is missing outside a cluster", async () => {
    const connecting = inClusterConnection({ environment: {}, clock: new VirtualClock(), directory: folder });
    await expect(connecting).rejects.toMatchObject({ message: expect.stringContaining("KUBERNETES_SERVICE_HOST") });
  });
});

describe("the choice of a cluster", () => {
  const kubeconfig = JSON.stringify({
    clusters: [{ name: "a", cluster: { server: "https://named.example" } }],
    contexts: [{ name: "a", context: { cluster: "a" } }],
    "current-context": "a",
  });
  const choose = (more: object) => clusterConnection({ environment, home: folder, clock: new VirtualClock(), ...more });

  it("prefers a kubeconfig that somebody named to the cluster it runs in", async () => {
    await put("config", kubeconfig);
    const path = join(folder, "config");
    expect(await choose({ path })).toMatchObject({ server: "https://named.example" });
    const named = { environment: { ...environment, KUBECONFIG: path } };
    expect(await choose(named)).toMatchObject({ server: "https://named.example" });
  });

  it("prefers the cluster it runs in to the kubeconfig at home", async () => {
    await expect(choose({})).rejects.toMatchObject({ message: expect.stringContaining("service account") });
    await expect(choose({ environment: {} })).rejects.toMatchObject({
      message: expect.stringContaining(".kube/config"),
    });
  });
});
