// The Cluster API kinds that declare how many machines a cluster has. Newest version first: the server may serve either.

import type { Kind, KubeObject } from "./kube-object.ts";

export interface MachineOwner extends KubeObject {
  readonly spec?: { readonly clusterName?: string; readonly replicas?: number };
}

export const clusterNameLabel = "cluster.x-k8s.io/cluster-name";

export const kubeadmControlPlanes: readonly Kind<MachineOwner>[] = ["v1beta2", "v1beta1"].map((version) => ({
  group: "controlplane.cluster.x-k8s.io",
  version,
  kind: "KubeadmControlPlane",
  plural: "kubeadmcontrolplanes",
  namespaced: true,
}));

export const machineDeployments: readonly Kind<MachineOwner>[] = ["v1beta2", "v1beta1"].map((version) => ({
  group: "cluster.x-k8s.io",
  version,
  kind: "MachineDeployment",
  plural: "machinedeployments",
  namespaced: true,
}));
