// What kubeadm and kubelet leave behind in a cluster, for Cluster API's control-plane manager to find: the node of a machine and the
// static Pods on it. The management cluster's own API server stands in for the workload cluster's.

import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { selfSigned } from "../../contract/kube/self-signed.ts";
import { namespace } from "./cluster-objects.ts";
import type { Kubectl } from "./kubectl.ts";

const role = "node-role.kubernetes.io/control-plane";
const components = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];

/** A way in that the user provides, and certificates of an etcd that is not Cluster API's. */
export function workloadSecrets(cluster: string, kubeconfig: string): readonly KubeObject[] {
  const { certificate, key } = selfSigned();
  const secret = (purpose: string, stringData: object): KubeObject =>
    ({
      apiVersion: "v1",
      kind: "Secret",
      type: "cluster.x-k8s.io/secret",
      metadata: {
        name: `${cluster}-${purpose}`,
        namespace,
        labels: { "cluster.x-k8s.io/cluster-name": cluster },
      },
      stringData,
    }) as KubeObject;
  const pair = { "tls.crt": certificate, "tls.key": key };
  return [secret("kubeconfig", { value: kubeconfig }), secret("etcd", pair), secret("apiserver-etcd-client", pair)];
}

/** By which the manager sees that `kubeadm init` went through. */
export const kubeadmConfigMap: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "kubeadm-config", namespace: "kube-system" },
  data: { ClusterConfiguration: "apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n" },
} as KubeObject;

/** As kubelet does it, again and again: a node that is silent is soon taken for dead. */
export async function reportNode(kubectl: Kubectl, name: string): Promise<void> {
  const node = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { [role]: "" } },
    spec: { providerID: `openstack:///${name}`, taints: [{ key: role, effect: "NoSchedule" }] },
  };
  const pods = components.map((component) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `${component}-${name}`, namespace: "kube-system", labels: { component, tier: "control-plane" } },
    spec: { nodeName: name, hostNetwork: true, containers: [{ name: component, image: component }] },
  }));
  await kubectl(["apply", "-f", "-"], [node, ...pods]);
  const now = new Date().toISOString();
  const conditions = [{ type: "Ready", status: "True", reason: "KubeletReady", lastHeartbeatTime: now }];
  const status = (kind: string, what: string, body: object) =>
    kubectl(["patch", kind, what, "-n", "kube-system", "--subresource=status", "-p", JSON.stringify({ status: body })]);
  await status("node", name, { conditions });
  for (const { metadata } of pods)
    await status("pod", metadata.name, { phase: "Running", conditions: [{ type: "Ready", status: "True" }] });
}

export async function removeNode(kubectl: Kubectl, name: string): Promise<void> {
  const pods = components.map((component) => `${component}-${name}`);
  await kubectl(["delete", "pod", "-n", "kube-system", "--ignore-not-found", "--force", "--grace-period=0", ...pods]);
  await kubectl(["delete", "node", "--ignore-not-found", name]);
}
