// The api-endpoint job in the demonstration: the cluster blue in three zones, which somebody has just asked for, and a stand-in for Cluster
// API that brings its machines.

import { clusters } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { secrets } from "../../../../apis/kube/builtin-kinds.ts";
import { type KubeObject, resourceName } from "../../../../apis/kube/kube-object.ts";
import type { Kube } from "../../../../ports/kube.ts";
import type { DemoPartOf, TryOutPlaces } from "../../../../sim/demo/demo-part.ts";
import { openStackClusters } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { blue, blueCluster, blueOpenStackCluster, credentialsOf } from "./blue-cluster.ts";
import { cloudFaultDefinitions } from "./cloud-fault-definitions.ts";
import { ClusterApiStandIn } from "./cluster-api-stand-in.ts";
import { neighbourCrds } from "./neighbour-crds.ts";

const page = `/objects/${resourceName(openStackClusters)}/${blue.namespace}/${blue.name}`;

export const endpointDemo: DemoPartOf = ({ kube, clock, random, cloud }) => {
  const standIn = new ClusterApiStandIn({ kube, clock, servers: cloud.servers });
  return {
    // What happens in the cloud is seen soon.
    configuration: "apiEndpoint: {observeAgainSeconds: 2}\n",
    neighbours: neighbourCrds,
    faults: cloudFaultDefinitions(cloud.fake, random),
    files: {},
    tryOuts: (places) => [
      { order: 1, text: seeEverything(places) },
      { order: 2, text: loseZone(places) },
    ],
    showpiece: { kind: openStackClusters.kind, page, name: `osc/${blue.namespace}/${blue.name}` },
    furnish: () => furnishBlue(kube, cloud.cloudsYaml),
    start: () => standIn.start(),
    stop: () => standIn.stop(),
  };
};

async function furnishBlue(kube: Kube, cloudsYaml: string): Promise<void> {
  await kube.create<KubeObject>(secrets, credentialsOf(cloudsYaml));
  await kube.create<KubeObject>(clusters, blueCluster);
  await kube.create<KubeObject>(openStackClusters, blueOpenStackCluster);
}

function seeEverything({ command }: TryOutPlaces): string {
  return `See the health of everything, and why it is so. The cluster blue has an API load balancer in each of three zones of the cloud:
       ${command} status
       kubectl get openstackclusters,machines,dnsendpoints
       ${command} explain openstackcluster/blue`;
}

function loseZone({ command, dashboard }: TryOutPlaces): string {
  return `Lose a zone, and watch ${dashboard}${page}
       ${command} demo fault start zone-dark zone=2 seconds=120 --server ${dashboard}
       kubectl wait openstackcluster/blue --for=condition=MembersHealthy=false --timeout=60s
     The zone's address leaves the DNS records of the cluster's API when that has lasted for 15 seconds:
       sleep 20
       kubectl get dnsendpoint blue
       ${command} explain openstackcluster/blue
     The zone heals by itself; so that nobody has to wait for it, let it heal now, and its address is back:
       ${command} demo fault stop zone-dark --server ${dashboard}
       kubectl wait openstackcluster/blue --for=condition=MembersHealthy --timeout=60s
       sleep 5
       kubectl get dnsendpoint blue`;
}
