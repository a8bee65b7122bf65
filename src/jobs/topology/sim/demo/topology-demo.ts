// The topology in the demonstration: a cluster of one node, as an installer would leave it. Declared, and not yet published.

import { stringify } from "yaml";
import { configMaps, nodes } from "../../../../apis/kube/builtin-kinds.ts";
import { apiVersionOf, type KubeObject } from "../../../../apis/kube/kube-object.ts";
import type { Kube } from "../../../../ports/kube.ts";
import type { DemoPartOf, TryOutPlaces } from "../../../../sim/demo/demo-part.ts";
import { infrastructureName, infrastructures } from "../../apis/infrastructure.ts";
import { installConfigKey, installConfigRef } from "../../controller/sources.ts";

const declaration = "three-declared.yaml";
const moreNodes = "two-more-nodes.yaml";

export const topologyDemo: DemoPartOf = ({ kube }) => ({
  // There is no ClusterVersion to wait for.
  configuration: "featureGates: {MutableTopology: true}\ntopology: {upgradeGate: none}\n",
  neighbours: [],
  faults: [],
  files: {
    // A patch for what the installer left: the cluster is to have three control-plane nodes.
    [declaration]: stringify({ data: declaring(3) }),
    // What a cluster of one lacks to be highly available.
    [moreNodes]: ["control-plane-1", "control-plane-2"].map((name) => stringify(readyNode(name))).join("---\n"),
  },
  tryOuts: (places) => [{ order: 3, text: askForHighAvailability(places) }],
  furnish: () => furnishTopology(kube),
  start: () => {},
  stop: () => Promise.resolve(),
});

export async function furnishTopology(kube: Kube): Promise<void> {
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: installConfigRef, data: declaring(1) };
  await kube.create(configMaps, configMap);
  await kube.create<KubeObject>(nodes, readyNode("control-plane-0"));
  await kube.create(infrastructures, {
    apiVersion: apiVersionOf(infrastructures),
    kind: infrastructures.kind,
    metadata: { name: infrastructureName },
    spec: {},
  });
}

function declaring(controlPlane: number) {
  const text = `controlPlane: {name: master, replicas: ${controlPlane}}\ncompute: [{name: worker, replicas: 0}]\n`;
  return { [installConfigKey]: text };
}

function readyNode(name: string) {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "node-role.kubernetes.io/control-plane": "" } },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  };
}

function askForHighAvailability({ command, file }: TryOutPlaces): string {
  return `Declare three control-plane nodes and ask for high availability; see it wait for the two that are missing, and bring them:
       kubectl patch configmap cluster-config-v1 -n kube-system --patch-file ${file(declaration)}
       kubectl patch infrastructure cluster --type=merge -p '{"spec":{"controlPlaneTopology":"HighlyAvailable"}}'
       ${command} plan infrastructure/cluster
     Until they are there, the plan also reports a misfit (TopologyDrift): one replica is still published, and three are declared.
       kubectl create -f ${file(moreNodes)}
     Within seconds it is granted:
       kubectl wait infrastructure/cluster --for=jsonpath='{.status.controlPlaneTopology}'=HighlyAvailable --timeout=60s
       ${command} status
     The topology says who set it, and why:
       ${command} topology explain`;
}
