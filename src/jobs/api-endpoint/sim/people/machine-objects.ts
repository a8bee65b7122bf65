// Control-plane machines: how they are called, where they are, and the objects that Cluster API has for them.

import {
  clusterNameLabel,
  controlPlaneLabel,
  machines,
  openStackMachines,
} from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import { addServer } from "../../../../sim/fakes/openstack/cloud-setup.ts";
import { objectOf } from "../endpoint-objects.ts";
import { type EndpointCluster, zonesOfCloud } from "../endpoint-setting.ts";
import type { EndpointSim } from "../endpoint-sim.ts";

/** Somebody else's hold on a Machine: it goes when its server has gone. */
const machineFinalizer = "machine.cluster.x-k8s.io";

export function machineName({ name }: Pick<EndpointCluster, "name">, n: number): string {
  return `${name}-m${n}`;
}

/** By its name, whoever else knows it. */
export function zoneOfMachine({ metadata }: KubeObject): string {
  const n = Number(metadata.name.split("-m").at(-1));
  return zonesOfCloud[(n - 1) % zonesOfCloud.length] ?? "az1";
}

/** In every family. */
export function addressesOfMachine(cluster: EndpointCluster, n: number): readonly string[] {
  const zone = zoneOfMachine({ metadata: { name: machineName(cluster, n) } } as KubeObject).slice(2);
  const host = 100 + 50 * cluster.index + n;
  return [`10.0.${zone}.${host}`, `fd00:${zone}::${host.toString(16)}`];
}

/** The ones that the cluster's balancers could use, and others. */
export function machineObjects(sim: EndpointSim, cluster: EndpointCluster, n: number) {
  const { namespace, name: ofCluster, zoneFrom } = cluster;
  const name = machineName(cluster, n);
  const place = { name, namespace, labels: { [clusterNameLabel]: ofCluster, [controlPlaneLabel]: "" } };
  const zone = zoneOfMachine({ metadata: { name } } as KubeObject);
  const addresses = addressesOfMachine(cluster, n).map((address) => ({ type: "InternalIP", address }));
  const server = zoneFrom === "nova" ? { instanceID: serverId(sim, name, zone) } : {};
  const ref = { clusterName: ofCluster, infrastructureRef: { kind: "OpenStackMachine", name } };
  const held = { ...place, finalizers: [machineFinalizer] };
  return {
    infrastructure: objectOf(openStackMachines, place, {}, { addresses, ...server }),
    machine: objectOf(
      machines,
      held,
      { ...ref, ...(zoneFrom === "spec" ? { failureDomain: zone } : {}) },
      zoneFrom === "status" ? { failureDomain: zone } : {},
    ),
  };
}

/** The one that the cloud has under this name. */
function serverId({ fake, lab }: EndpointSim, name: string, zone: string): string {
  const there = fake.cloud.tables.servers.all().find((server) => server.name === name);
  const wanted = { name, projectId: lab.projectId, availabilityZone: zone };
  return (there ?? addServer(fake.cloud, wanted)).id;
}
