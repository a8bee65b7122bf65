// From kubeconfig files to a connection: which files, which context, and what is wrong with them, all of it at once.
// Environment and home come in as values.

import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { MainstayError } from "../../../core/errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import { environmentProxy } from "../../http/proxy-environment.ts";
import { execPlugin } from "../credentials/exec-plugin.ts";
import { fixedText, type RotatingFile, rotatingFile } from "../credentials/rotating-file.ts";
import { userCredentials } from "../credentials/user-credentials.ts";
import type { ClusterConnection, Trust } from "./connection.ts";
import { type Chosen, chooseContext } from "./kubeconfig-context.ts";
import { type Cluster, type Kubeconfig, parseKubeconfig } from "./kubeconfig-file.ts";
import { mergeKubeconfigs } from "./kubeconfig-merge.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface LoadKubeconfigOptions {
  /** One file; absent, KUBECONFIG's list or `~/.kube/config`. */
  readonly path?: string;
  /** A context by name; absent, the current one. */
  readonly context?: string;
  readonly environment: Environment;
  readonly home: string;
  readonly clock: Clock;
  /** A person sits at the terminal: exec plugins may ask questions there. */
  readonly interactive?: boolean;
}

export async function loadKubeconfig(options: LoadKubeconfigOptions): Promise<ClusterConnection> {
  const config = await readKubeconfigs(options);
  const chosen = chooseContext(config, options.context);
  if ("problems" in chosen) throw invalid(config.files, chosen.problems);
  return connect(chosen, options);
}

async function readKubeconfigs(options: LoadKubeconfigOptions): Promise<Kubeconfig> {
  const paths = kubeconfigPaths(options);
  const read = await Promise.all(paths.map(async (path) => ({ path, text: await readIfThere(path) })));
  const present = read.flatMap(({ path, text }) => (text === undefined ? [] : [parseKubeconfig(text, path)]));
  if (present.length === 0) throw noFile(paths);
  const problems = present.flatMap((parsed) => ("problems" in parsed ? parsed.problems : []));
  if (problems.length > 0) throw invalid([], problems);
  return mergeKubeconfigs(present.flatMap((parsed) => ("config" in parsed ? [parsed.config] : [])));
}

function noFile(paths: readonly string[]): MainstayError {
  const reason = "ConfigurationInvalid";
  const message = `kubeconfig: no file at ${paths.join(", ")}`;
  // The demonstration makes this folder, and removes it when it ends.
  if (paths.every((path) => /(^|[/\\])mainstay-demo-[^/\\]+[/\\]kubeconfig$/.test(path)))
    return new MainstayError({
      reason,
      message: `${message}: this demonstration is not running`,
      hint: "Start it with mainstay demo, or make demo in a checkout; or unset KUBECONFIG.",
    });
  return new MainstayError({ reason, message, hint: "Name a kubeconfig that exists, or set KUBECONFIG." });
}

export function kubeconfigPaths({ path, environment, home }: LoadKubeconfigOptions): readonly string[] {
  if (path !== undefined) return [path];
  const listed = (environment["KUBECONFIG"] ?? "").split(delimiter).filter((entry) => entry !== "");
  return listed.length > 0 ? [...new Set(listed)] : [join(home, ".kube", "config")];
}

function connect(chosen: Chosen, options: LoadKubeconfigOptions): ClusterConnection {
  const { cluster, user } = chosen;
  const { clock, environment } = options;
  const plugin =
    user.exec === undefined
      ? undefined
      : execPlugin({
          clock,
          environment,
          user: chosen.userName,
          plugin: user.exec,
          cluster,
          interactive: options.interactive ?? false,
        });
  const proxy = cluster["proxy-url"] ?? environmentProxy(cluster.server, environment);
  return {
    server: cluster.server,
    trust: trustOf(clock, chosen.clusterName, cluster),
    credentials: userCredentials(clock, chosen.userName, user, plugin),
    namespace: chosen.namespace,
    ...(proxy === undefined ? {} : { proxy }),
  };
}

function trustOf(clock: Clock, name: string, cluster: Cluster): () => Promise<Trust> {
  const serverName = cluster["tls-server-name"];
  const authorities = authoritiesOf(clock, name, cluster);
  const rest = {
    insecure: cluster["insecure-skip-tls-verify"] ?? false,
    ...(serverName === undefined ? {} : { serverName }),
  };
  if (authorities === undefined) return async () => rest;
  return async () => ({ ...rest, authorities: await authorities.read() });
}

function authoritiesOf(clock: Clock, name: string, cluster: Cluster): RotatingFile | undefined {
  const data = cluster["certificate-authority-data"];
  if (data !== undefined) return fixedText("inline", Buffer.from(data, "base64").toString("utf8"));
  const path = cluster["certificate-authority"];
  return path === undefined ? undefined : rotatingFile(clock, path, `certificate-authority of cluster "${name}"`);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw new MainstayError({
      reason: "ConfigurationInvalid",
      message: `kubeconfig: ${path} cannot be read`,
      hint: "Check that it is a file and that this user may read it.",
      cause,
    });
  }
}

function invalid(files: readonly string[], problems: readonly string[]): MainstayError {
  const where = files.length === 0 ? "" : ` ${files.join(", ")}`;
  const list = problems.length === 1 ? ` ${problems[0]}` : problems.map((problem) => `\n  - ${problem}`).join("");
  return new MainstayError({
    reason: "ConfigurationInvalid",
    message: `kubeconfig${where}:${list}`,
    hint: "Correct the file, or choose another context.",
  });
}
