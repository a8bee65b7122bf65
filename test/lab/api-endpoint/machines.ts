// Control-plane machines without computers: a Machine of Cluster API, and the OpenStackMachine whose status the test writes in CAPO's
// place, with CAPO's finalizer, so that a machine takes its time to go.

import { machines, openStackMachines } from "../../../src/apis/cluster-api/cluster-api-kinds.ts";
import { isKubeError } from "../../../src/core/kube-error.ts";
import { until } from "../until.ts";
import { namespace, readCluster } from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";

const finalizer = "openstackmachine.infrastructure.cluster.x-k8s.io";

export interface NewMachine {
  readonly cluster: string;
  readonly name: string;
  readonly zone: string;
  readonly addresses: readonly string[];
}

export async function addMachine(
  lab: Pick<EndpointLab, "kubectl">,
  { cluster, name, zone, addresses }: NewMachine,
): Promise<void> {
  const labels = { "cluster.x-k8s.io/cluster-name": cluster, "cluster.x-k8s.io/control-plane": "" };
  const metadata = { name, namespace, labels };
  await lab.kubectl(
    ["apply", "-f", "-"],
    [
      {
        apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
        kind: "OpenStackMachine",
        metadata: { ...metadata, finalizers: [finalizer] },
        ...provided(name, addresses),
      },
      {
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "Machine",
        metadata,
        spec: {
          clusterName: cluster,
          failureDomain: zone,
          bootstrap: { dataSecretName: "none" },
          infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "OpenStackMachine", name },
        },
      },
    ],
  );
}

/** For a machine that Cluster API made itself. */
export async function provideMachine(lab: EndpointLab, name: string, addresses: readonly string[]): Promise<void> {
  const body = { metadata: { finalizers: [finalizer] }, ...provided(name, addresses) };
  await lab.kube.patch(openStackMachines, { name, namespace }, { type: "merge", body });
}

/** What CAPO writes when the server runs. */
function provided(name: string, addresses: readonly string[]): object {
  return {
    spec: { providerID: `openstack:///${name}` },
    status: {
      initialization: { provisioned: true },
      addresses: addresses.map((address) => ({ type: "InternalIP", address })),
    },
  };
}

/** Asked to go; it stays until `machineIsGone`. */
export async function deleteMachine(lab: Pick<EndpointLab, "kube">, name: string): Promise<void> {
  await lab.kube.delete(machines, { name, namespace });
}

/** What CAPO does when the server is no more. */
export async function machineIsGone(lab: Pick<EndpointLab, "kube">, name: string): Promise<void> {
  try {
    const body = { metadata: { finalizers: null } };
    await lab.kube.patch(openStackMachines, { name, namespace }, { type: "merge", body });
  } catch (error) {
    if (!isKubeError(error, "NotFound")) throw error;
  }
}

/** A cluster, as a user deletes it, with these machines; until nothing of it is left in the management cluster. */
export async function removeCluster(lab: EndpointLab, name: string, machines: readonly string[]): Promise<void> {
  await lab.kubectl(["delete", "cluster", "-n", namespace, name, "--wait=false"]);
  for (const machine of machines) await machineIsGone(lab, machine);
  await until(`${name} to be gone`, async () => (await readCluster(lab, name)) === undefined);
}
