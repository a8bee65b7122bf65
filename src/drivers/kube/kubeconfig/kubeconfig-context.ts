// Picks one context of a kubeconfig and checks that its cluster and user make sense together. Returns all problems.

import { proxyProblem } from "../../http/proxy-environment.ts";
import type { Cluster, Kubeconfig, User } from "./kubeconfig-file.ts";

export interface Chosen {
  readonly clusterName: string;
  readonly cluster: Cluster;
  readonly userName: string;
  readonly user: User;
  readonly namespace: string;
}

export interface Problems {
  readonly problems: readonly string[];
}

export function chooseContext(config: Kubeconfig, wanted: string | undefined): Chosen | Problems {
  const name = wanted ?? config.currentContext;
  if (name === undefined) return { problems: [`current-context: not set; ${knownContexts(config)}`] };
  const context = config.contexts.get(name)?.value;
  if (context === undefined) return { problems: [`context "${name}": not defined; ${knownContexts(config)}`] };
  const cluster = config.clusters.get(context.cluster);
  // A context without a user is anonymous; one that names an absent user is a mistake.
  const user = context.user === undefined ? { value: {}, file: "" } : config.users.get(context.user);
  const userName = context.user ?? "";
  const missing = [
    ...(cluster === undefined ? [`context "${name}": cluster "${context.cluster}" is not defined`] : []),
    ...(user === undefined ? [`context "${name}": user "${userName}" is not defined`] : []),
  ];
  const problems = [
    ...missing,
    ...(cluster === undefined
      ? []
      : clusterProblems(cluster.value).map((problem) => `${cluster.file}: cluster "${context.cluster}": ${problem}`)),
    ...(user === undefined
      ? []
      : userProblems(user.value).map((problem) => `${user.file}: user "${userName}": ${problem}`)),
  ];
  if (cluster === undefined || user === undefined || problems.length > 0) return { problems };
  const namespace = context.namespace ?? "default";
  return { clusterName: context.cluster, cluster: cluster.value, userName, user: user.value, namespace };
}

function clusterProblems(cluster: Cluster): readonly string[] {
  const proxy = cluster["proxy-url"] === undefined ? undefined : proxyProblem(cluster["proxy-url"]);
  const hasAuthority = cluster["certificate-authority"] ?? cluster["certificate-authority-data"];
  return [
    ...(isHttp(cluster.server) ? [] : [`server: "${cluster.server}" is not an http or https address`]),
    ...(hasAuthority !== undefined && cluster["insecure-skip-tls-verify"] === true
      ? ["insecure-skip-tls-verify: cannot stand beside a certificate-authority"]
      : []),
    ...(proxy === undefined ? [] : [`proxy-url: ${proxy}`]),
  ];
}

function userProblems(user: User): readonly string[] {
  const certificate = user["client-certificate"] ?? user["client-certificate-data"];
  const key = user["client-key"] ?? user["client-key-data"];
  const impersonates = user["as-uid"] ?? user["as-groups"] ?? user["as-user-extra"];
  return [
    ...(user["auth-provider"] === undefined
      ? []
      : ["auth-provider: removed from Kubernetes in 1.26; use an exec plugin instead"]),
    ...(certificate !== undefined && key === undefined
      ? ["client-key: missing, though there is a client certificate"]
      : []),
    ...(certificate === undefined && key !== undefined
      ? ["client-certificate: missing, though there is a client key"]
      : []),
    ...(user.password !== undefined && user.username === undefined
      ? ["username: missing, though there is a password"]
      : []),
    ...(user.username !== undefined && (user.token ?? user.tokenFile) !== undefined
      ? ["username: cannot stand beside a token"]
      : []),
    ...(impersonates !== undefined && user.as === undefined
      ? ["as: missing, though more of an impersonation is given"]
      : []),
    ...(user.exec === undefined || execVersions.includes(user.exec.apiVersion)
      ? []
      : [`exec.apiVersion: "${user.exec.apiVersion}" is not supported, only ${execVersions.join(" and ")}`]),
    ...(user.exec !== undefined && user.exec.apiVersion === execVersions[0] && user.exec.interactiveMode === undefined
      ? ["exec.interactiveMode: must be set (Never, IfAvailable or Always) in v1"]
      : []),
  ];
}

const execVersions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

function isHttp(server: string): boolean {
  return URL.canParse(server) && ["http:", "https:"].includes(new URL(server).protocol);
}

function knownContexts({ contexts }: Kubeconfig): string {
  return contexts.size === 0 ? "there are no contexts" : `known contexts: ${[...contexts.keys()].join(", ")}`;
}
