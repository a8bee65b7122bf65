// The connection of a Pod to its own cluster: address from the environment, token and authority from files that the
// kubelet replaces while we run.

import { join } from "node:path";
import { MainstayError } from "../../../core/errors.ts";
import { present } from "../../../core/present.ts";
import type { Clock } from "../../../ports/clock.ts";
import { environmentProxy } from "../../http/proxy-environment.ts";
import { rotatingFile } from "../credentials/rotating-file.ts";
import type { ClusterConnection } from "./connection.ts";
import type { Environment } from "./kubeconfig.ts";

export interface InClusterOptions {
  readonly environment: Environment;
  readonly clock: Clock;
  /** Where the service account is mounted. */
  readonly directory?: string;
}

export function isInCluster(environment: Environment): boolean {
  return Boolean(environment["KUBERNETES_SERVICE_HOST"] && environment["KUBERNETES_SERVICE_PORT"]);
}

export async function inClusterConnection({
  environment,
  clock,
  directory = "/var/run/secrets/kubernetes.io/serviceaccount",
}: InClusterOptions): Promise<ClusterConnection> {
  const host = environment["KUBERNETES_SERVICE_HOST"];
  const port = environment["KUBERNETES_SERVICE_PORT"];
  if (!host || !port) {
    throw new MainstayError({
      reason: "ConfigurationInvalid",
      message: "in-cluster configuration: KUBERNETES_SERVICE_HOST or KUBERNETES_SERVICE_PORT is not set",
      hint: "Outside a Pod, name a kubeconfig.",
    });
  }
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const file = (name: string) => rotatingFile(clock, join(directory, name), "service account");
  const token = file("token");
  const authorities = file("ca.crt");
  const proxy = environmentProxy(server, environment);
  // Read once now, so that a Pod without its service account fails at the start and not at the first request.
  await Promise.all([token.read(), authorities.read()]);
  return {
    server,
    trust: async () => ({ insecure: false, authorities: await authorities.read() }),
    credentials: {
      current: async () => ({ headers: { authorization: `Bearer ${(await token.read()).trim()}` } }),
      refresh: () => token.reload(),
    },
    // Only a Pod that opted out of the mount has no such file.
    namespace: await file("namespace")
      .read()
      .then((text) => text.trim() || "default")
      .catch(() => "default"),
    ...present({ proxy }),
  };
}
