// Every way to log in, against a real API server that says who it takes us for.

import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { describeLab, labKube } from "../../../../test/lab.ts";
import { systemClock } from "../../system/system-clock.ts";
import { kubeClient } from "../client.ts";
import type { ClusterConnection } from "../kubeconfig/connection.ts";
import { inClusterConnection } from "../kubeconfig/in-cluster.ts";
import { loadKubeconfig } from "../kubeconfig/kubeconfig.ts";
import { undiciTransport } from "../undici-transport.ts";

const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };

async function whoami(connection: ClusterConnection): Promise<unknown> {
  const transport = undiciTransport({ connection });
  try {
    const kube = kubeClient({ transport, clock: systemClock });
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const answer = await kube.request({ method: "POST", path, body: review });
    return (answer as { status: { userInfo: unknown } }).status.userInfo;
  } finally {
    await transport.close();
  }
}

describeLab("logging in to the real API server", labKube, (lab) => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mainstay-login-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** The lab's cluster with a user of our own. */
  async function as(user: object): Promise<unknown> {
    const path = join(folder, "config");
    const cluster = { server: lab.server, "certificate-authority-data": Buffer.from(lab.ca).toString("base64") };
    const config = {
      clusters: [{ name: "lab", cluster }],
      users: [{ name: "somebody", user }],
      contexts: [{ name: "lab", context: { cluster: "lab", user: "somebody" } }],
      "current-context": "lab",
    };
    await writeFile(path, JSON.stringify(config));
    const environment = { PATH: process.env["PATH"] };
    return whoami(await loadKubeconfig({ path, environment, home: folder, clock: systemClock }));
  }

  async function execPrinting(status: object): Promise<object> {
    const apiVersion = "client.authentication.k8s.io/v1";
    await writeFile(join(folder, "answer"), JSON.stringify({ apiVersion, kind: "ExecCredential", status }));
    await writeFile(join(folder, "plugin"), '#!/bin/sh\ncat "$(dirname "$0")/answer"\n');
    await chmod(join(folder, "plugin"), 0o755);
    return { exec: { apiVersion, command: "./plugin", interactiveMode: "Never" } };
  }

  async function adminCertificate() {
    const config = parse(await readFile(lab.kubeconfig, "utf8")) as { users: [{ user: Record<string, string> }] };
    return config.users[0].user;
  }

  it("works with a client certificate", async () => {
    expect(await as(await adminCertificate())).toMatchObject({ username: "admin" });
  });

  it("works with a token and with a token file", async () => {
    expect(await as({ token: lab.tokens.controller })).toMatchObject({ username: "controller" });
    await writeFile(join(folder, "token"), `${lab.tokens.controller}\n`);
    expect(await as({ tokenFile: "token" })).toMatchObject({ username: "controller" });
  });

  it("works with an exec plugin that prints a token or a certificate", async () => {
    expect(await as(await execPrinting({ token: lab.tokens.controller }))).toMatchObject({ username: "controller" });
    const data = await adminCertificate();
    const plain = (field: string) => Buffer.from(data[field] ?? "", "base64").toString("utf8");
    const certificate = {
      clientCertificateData: plain("client-certificate-data"),
      clientKeyData: plain("client-key-data"),
    };
    expect(await as(await execPrinting(certificate))).toMatchObject({ username: "admin" });
  });

  it("acts as somebody else, with every group", async () => {
    const user = { token: lab.tokens.admin, as: "jane", "as-groups": ["one", "two"] };
    expect(await as(user)).toMatchObject({ username: "jane", groups: expect.arrayContaining(["one", "two"]) });
  });

  it("works from inside a cluster, and a rotated token is taken up after a refusal", async () => {
    await writeFile(join(folder, "token"), "a-token-nobody-issued");
    await writeFile(join(folder, "ca.crt"), lab.ca);
    const { hostname, port } = new URL(lab.server);
    const environment = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const connection = await inClusterConnection({ environment, clock: systemClock, directory: folder });
    await expect(whoami(connection)).rejects.toMatchObject({ code: "Unauthorized" });
    await writeFile(join(folder, "token"), lab.tokens.controller);
    expect(await whoami(connection)).toMatchObject({ username: "controller" });
  });
});
