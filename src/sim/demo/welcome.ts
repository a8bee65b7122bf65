// What the demonstration says when it is ready: where things are, and three things to try. Every line that is indented by seven
// spaces is a command, to be copied as it stands; a test runs them all.

import { demoLease } from "./demo-managers.ts";

export interface Places {
  readonly api: string;
  readonly dashboard: string;
  /** False: nobody has built the dashboard's pages. */
  readonly hasPages: boolean;
  readonly kubeconfig: string;
  /** The managers' configuration. */
  readonly config: string;
  /** A patch that declares three control-plane nodes, and a manifest of the two that are missing. */
  readonly declaration: string;
  readonly nodes: string;
  /** How this program is called, and the folder in which that works. */
  readonly command: string;
  readonly folder: string;
}

export function welcome({ api, dashboard, hasPages, ...places }: Places): string {
  const { command } = places;
  const [folder, kubeconfig, config] = [places.folder, places.kubeconfig, places.config].map(quoted);
  const [declaration, nodes] = [places.declaration, places.nodes].map(quoted);
  const pages = hasPages
    ? ""
    : `\n             (its pages are not built yet: npm run build; the API under /api/v1 works)`;
  return `An API server runs at ${api} with two managers at work on it.

  Dashboard  ${dashboard}${pages}
  kubectl    export KUBECONFIG=${kubeconfig}

Three things to try in another terminal:
       cd ${folder}
       export KUBECONFIG=${kubeconfig}

  1. See how everything fares, and why:
       ${command} status
       ${command} explain infrastructure/cluster --config ${config}

  2. Declare three control-plane nodes and ask for high availability; see it wait for the two that are missing, and bring them:
       kubectl patch configmap cluster-config-v1 -n kube-system --patch-file ${declaration}
       kubectl patch infrastructure cluster --type=merge -p '{"spec":{"controlPlaneTopology":"HighlyAvailable"}}'
       ${command} plan infrastructure/cluster --config ${config}
       kubectl create -f ${nodes}
     Within seconds it is granted:
       kubectl wait infrastructure/cluster --for=jsonpath='{.status.controlPlaneTopology}'=HighlyAvailable --timeout=60s
       ${command} status

  3. Kill the leading manager, and see the other one take over:
       ${command} demo fault start kill-leader --server ${dashboard}
     It takes over when the lease of ${demoLease.timings.durationMs / 1_000} seconds has run out. Wait about ten seconds, and ask who leads:
       sleep 10
       ${command} doctor --config ${config}

Ctrl-C here stops everything and leaves nothing behind.`;
}

/** A path as a shell reads it. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
