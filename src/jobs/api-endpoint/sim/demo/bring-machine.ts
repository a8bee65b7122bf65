// One control-plane machine as Cluster API and its provider leave it: a Machine, its server in the zone, and the OpenStackMachine that
// knows the server's address.

import {
  type Cluster,
  clusterNameLabel,
  controlPlaneLabel,
  machines,
  openStackMachines,
} from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { apiVersionOf, type KubeObject } from "../../../../apis/kube/kube-object.ts";
import type { Kube } from "../../../../ports/kube.ts";
import type { DemoServers } from "../../../../sim/demo/demo-cloud.ts";

export interface MachinePorts {
  readonly kube: Kube;
  readonly servers: DemoServers;
}

const machineFinalizer = "machine.cluster.x-k8s.io";

export async function bringMachine({ kube, servers }: MachinePorts, cluster: Cluster, zone: string): Promise<void> {
  const { name: clusterName, namespace = "" } = cluster.metadata;
  const name = `${clusterName}-${zone}`;
  const labels = { [clusterNameLabel]: clusterName, [controlPlaneLabel]: "" };
  const infrastructureRef = { apiGroup: openStackMachines.group, kind: openStackMachines.kind, name };
  const machine = await kube.create<KubeObject>(machines, {
    apiVersion: apiVersionOf(machines),
    kind: machines.kind,
    metadata: { name, namespace, labels, finalizers: [machineFinalizer] },
    spec: { clusterName, failureDomain: zone, infrastructureRef },
    status: { phase: "Running" },
  } as KubeObject);
  await kube.create<KubeObject>(openStackMachines, {
    apiVersion: apiVersionOf(openStackMachines),
    kind: openStackMachines.kind,
    metadata: { name, namespace, labels, ownerReferences: [ownerOf(machine)] },
    spec: {},
    status: { addresses: [{ type: "InternalIP", address: servers.create(serverNameOf(machine), zone) }] },
  } as KubeObject);
}

/** Clusters of several namespaces share the cloud, and may have the same name. */
export function serverNameOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}-${metadata.name}`;
}

export function ownerOf({ apiVersion, kind, metadata: { name, uid = "" } }: KubeObject) {
  return { apiVersion, kind, name, uid, controller: true };
}
