// Which cluster a program talks to: the one of a kubeconfig that is named, else the cluster it runs in, else the one of the user's
// default kubeconfig.

import type { ClusterConnection } from "./connection.ts";
import { inClusterConnection, isInCluster } from "./in-cluster.ts";
import { type LoadKubeconfigOptions, loadKubeconfig } from "./kubeconfig.ts";

export function clusterConnection(options: LoadKubeconfigOptions): Promise<ClusterConnection> {
  const { environment, clock } = options;
  const named = options.path ?? options.context ?? (environment["KUBECONFIG"] || undefined);
  return named === undefined && isInCluster(environment)
    ? inClusterConnection({ environment, clock })
    : loadKubeconfig(options);
}
