// What the demonstration says when it is ready: where things are, and three things to try. Every line that is indented by seven
// spaces is a command, to be copied as it stands; a test runs them all.

/** Of the cluster blue, in the dashboard. */
const bluePage = "/objects/openstackclusters.infrastructure.cluster.x-k8s.io/default/blue";

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

/** For whoever would otherwise try things on what does not work. */
export function notUp({ dashboard, kubeconfig, command, folder }: Places, seconds: number): string {
  return `The demonstration has not come up within ${seconds} s: what there is to try may not work yet. It goes on trying. To see why it takes so long, look at ${dashboard}${bluePage}, or in ${quoted(folder)}: KUBECONFIG=${quoted(kubeconfig)} ${command} explain osc/default/blue`;
}

export function welcome({ api, dashboard, hasPages, ...places }: Places): string {
  const { command } = places;
  const [folder, kubeconfig, config] = [places.folder, places.kubeconfig, places.config].map(quoted);
  const [declaration, nodes] = [places.declaration, places.nodes].map(quoted);
  const pages = hasPages
    ? ""
    : `\n             (its pages are not built yet: npm run build; the API under /api/v1 works)`;
  return `An API server runs at ${api} with a cloud beside it and two managers at work on both.

  Dashboard  ${dashboard}${pages}
  kubectl    export KUBECONFIG=${kubeconfig}

Three things to try in another terminal:
       cd ${folder}
       export KUBECONFIG=${kubeconfig}

  1. See how everything fares, and why. The cluster blue has an API load balancer in each of three zones of the cloud:
       ${command} status
       kubectl get openstackclusters,machines,dnsendpoints
       ${command} explain openstackcluster/blue --config ${config}

  2. Lose a zone, and watch ${dashboard}${bluePage}
       ${command} demo fault start zone-dark zone=2 seconds=120 --server ${dashboard}
       kubectl wait openstackcluster/blue --for=condition=MembersHealthy=false --timeout=60s
     The zone's address leaves the DNS records of the cluster's API when that has lasted for 15 seconds:
       sleep 20
       ${command} dns records blue
     The zone heals by itself; so that nobody has to wait for it, let it heal now, and its address is back:
       ${command} demo fault stop zone-dark --server ${dashboard}
       kubectl wait openstackcluster/blue --for=condition=MembersHealthy --timeout=60s
       ${command} dns records blue

  3. Declare three control-plane nodes and ask for high availability; see it wait for the two that are missing, and bring them:
       kubectl patch configmap cluster-config-v1 -n kube-system --patch-file ${declaration}
       kubectl patch infrastructure cluster --type=merge -p '{"spec":{"controlPlaneTopology":"HighlyAvailable"}}'
       ${command} plan infrastructure/cluster --config ${config}
       kubectl create -f ${nodes}
     Within seconds it is granted:
       kubectl wait infrastructure/cluster --for=jsonpath='{.status.controlPlaneTopology}'=HighlyAvailable --timeout=60s
       ${command} status

More, such as killing the leading manager or adding a zone with kubectl, is in docs/guides/demo.md.

Ctrl-C here stops everything and leaves nothing behind.`;
}

/** A path as a shell reads it. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
