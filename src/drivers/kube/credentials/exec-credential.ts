// The wire format of exec plugins: what a plugin gets in KUBERNETES_EXEC_INFO, and what it must print.

import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Credential } from "../kubeconfig/connection.ts";
import type { Cluster, ExecPlugin } from "../kubeconfig/kubeconfig-file.ts";

const credentialSchema = z.object({
  kind: z.literal("ExecCredential"),
  apiVersion: z.string(),
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.iso.datetime({ offset: true }).nullish(),
  }),
});

/** The extension of a cluster that is meant for exec plugins. */
const extensionName = "client.authentication.k8s.io/exec";

export type Decoded = { readonly credential: Credential; readonly expiresAtMs: number } | { readonly problem: string };

export async function execInfo(plugin: ExecPlugin, cluster: Cluster, interactive: boolean): Promise<string> {
  return JSON.stringify({
    apiVersion: plugin.apiVersion,
    kind: "ExecCredential",
    spec: {
      interactive,
      ...(plugin.provideClusterInfo === true ? { cluster: await clusterInfo(cluster) } : {}),
    },
  });
}

async function clusterInfo(cluster: Cluster): Promise<unknown> {
  const path = cluster["certificate-authority"];
  const inline = cluster["certificate-authority-data"];
  return {
    server: cluster.server,
    "tls-server-name": cluster["tls-server-name"],
    "insecure-skip-tls-verify": cluster["insecure-skip-tls-verify"],
    "certificate-authority-data": inline ?? (path === undefined ? undefined : await readFile(path, "base64")),
    "proxy-url": cluster["proxy-url"],
    config: cluster.extensions?.find(({ name }) => name === extensionName)?.extension,
  };
}

/** Problems say what is wrong with the output, never what it was: it holds secrets. */
export function decodeExecCredential(plugin: ExecPlugin, output: string): Decoded {
  const parsed = credentialSchema.safeParse(parseJson(output));
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.map(String).join(".") || "output").join(", ");
    return { problem: `printed no valid ExecCredential (wrong or missing: ${fields})` };
  }
  const { apiVersion, status } = parsed.data;
  if (apiVersion !== plugin.apiVersion)
    return { problem: `printed ${apiVersion}, though ${plugin.apiVersion} was asked for` };
  const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = status;
  if ((certificate === undefined) !== (key === undefined))
    return { problem: "printed only half of a client certificate" };
  if (token === undefined && certificate === undefined)
    return { problem: "printed neither a token nor a client certificate" };
  return {
    credential: {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(certificate === undefined || key === undefined ? {} : { certificate: { certificate, key } }),
    },
    expiresAtMs: expirationTimestamp ? Date.parse(expirationTimestamp) : Number.POSITIVE_INFINITY,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
