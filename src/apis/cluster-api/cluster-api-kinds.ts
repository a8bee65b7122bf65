// The Cluster API kinds that Mainstay reads, and of each only the fields it reads. Newest version first: the server may serve either.

import type { Kind, KubeObject } from "../kube/kube-object.ts";

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

export const controlPlaneLabel = "cluster.x-k8s.io/control-plane";

/** Served versions that will do, best first. */
export const clusterApiVersions: readonly string[] = ["v1beta2", "v1beta1"];

export interface Cluster extends KubeObject {
  readonly spec?: {
    readonly paused?: boolean;
    readonly controlPlaneEndpoint?: { readonly host?: string; readonly port?: number };
    readonly infrastructureRef?: ContractRef;
  };
}

/** v1beta2 has a group, v1beta1 an apiVersion; the kind alone is enough for us. */
export interface ContractRef {
  readonly kind?: string;
  readonly name?: string;
}

export interface MachineAddress {
  readonly type: string;
  readonly address: string;
}

export interface Machine extends KubeObject {
  readonly spec?: {
    readonly clusterName?: string;
    readonly failureDomain?: string;
    readonly infrastructureRef?: ContractRef;
  };
  readonly status?: { readonly failureDomain?: string; readonly addresses?: readonly MachineAddress[] };
}

export interface OpenStackMachine extends KubeObject {
  readonly status?: { readonly instanceID?: string; readonly addresses?: readonly MachineAddress[] };
}

export const clusters: Kind<Cluster> = {
  group: "cluster.x-k8s.io",
  version: "v1beta2",
  kind: "Cluster",
  plural: "clusters",
  namespaced: true,
};

export const machines: Kind<Machine> = {
  group: "cluster.x-k8s.io",
  version: "v1beta2",
  kind: "Machine",
  plural: "machines",
  namespaced: true,
};

export const openStackMachines: Kind<OpenStackMachine> = {
  group: "infrastructure.cluster.x-k8s.io",
  version: "v1beta2",
  kind: "OpenStackMachine",
  plural: "openstackmachines",
  namespaced: true,
};
