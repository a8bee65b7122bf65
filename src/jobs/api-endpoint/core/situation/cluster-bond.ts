// An APIEndpoint goes with its Cluster, unless its user says that it stays.
//
//   the Cluster            the APIEndpoint
//   is there               has it as an owner, so that Kubernetes deletes it when the Cluster is gone, whoever runs then
//   is being deleted       serves until the last control-plane machine is gone, and is deleted then: CAPO deletes networks of the cluster
//                          only when no balancer is in them, and Cluster API waits for CAPO
//   is gone                is deleted by Kubernetes; or, outliving it, waits for a Cluster or for its own deletion
//
// The reference does not block the deletion of the Cluster: setting such a one needs rights on Clusters, and nothing has to wait.

import { formatRef, type OwnerReference } from "../../../../apis/kube/kube-object.ts";
import type { Plan } from "../../../../core/plan.ts";
import type { EndpointAction } from "../model/action.ts";
import { planOf } from "../model/endpoint-plan.ts";
import type { ClusterBond, EndpointObserved } from "../model/observed.ts";

/** Machines are watched: whoever looks at the cloud does so for other reasons, at its own pace. */
const machinesRecheckMs = 3_600_000;

/** Of any version of Cluster API. */
export function isClusterReference({ apiVersion, kind }: OwnerReference): boolean {
  return kind === "Cluster" && apiVersion.startsWith("cluster.x-k8s.io/");
}

/** Owners as they should be; those of others stay. Another Cluster's, or one of an earlier Cluster of the name, would end the object. */
export function withClusterOwner(
  owners: readonly OwnerReference[],
  owner: OwnerReference | undefined,
): readonly OwnerReference[] {
  const others = owners.filter((one) => !isClusterReference(one));
  return owner === undefined ? others : [...others, owner];
}

/** The Cluster goes, and the object with it. */
export function goesWithCluster({ object: { bond } }: EndpointObserved): boolean {
  return bond !== undefined && bond.isClusterDeleting && !bond.isOutlived;
}

/** What the bond asks for, of an object that is not being deleted; the rest goes on beside it. */
export function planClusterBond(observed: EndpointObserved): Plan<EndpointAction> {
  const { bond } = observed.object;
  if (bond === undefined || bond.isReferenced) return planOf({});
  const owner = bond.isOutlived ? undefined : bond.reference;
  return planOf({ actions: [{ kind: "set-cluster-owner", owner, because: "ClusterOwnerDiffers" }] });
}

/** Undefined while machines are there that need the API to be drained. */
export function planGoingWithCluster({ intent, machines }: EndpointObserved): Plan<EndpointAction> | undefined {
  if (machines.length > 0) return undefined;
  const removes = `APIEndpoint ${formatRef(intent.object)}`;
  return planOf({ actions: [{ kind: "delete-endpoint", removes, because: "ClusterDeleted" }] });
}

/** Being deleted, with machines that need the API until they are gone. Through the other door the cluster may live on without us, unless it goes, too. */
export function waitsForMachines(observed: EndpointObserved): boolean {
  const { deleting, door } = observed.intent;
  const goesAfterMachines = door === "OpenStackCluster" || goesWithCluster(observed);
  return deleting && goesAfterMachines && observed.machines.length > 0;
}

export function machinesRemain({ machines }: EndpointObserved): Plan<EndpointAction> {
  const names = machines.map(({ name }) => name).toSorted();
  const message = `control-plane machines remain (${names.join(", ")}), and the load balancers are deleted after the last of them. If by mistake: create the object again before then, as mainstay runbook MachinesRemain says. If on purpose: delete the Cluster, which deletes its Machines`;
  return planOf({ waits: [{ reason: "MachinesRemain", recheckAfterMs: machinesRecheckMs, message }] });
}

export function bondOf(owners: readonly OwnerReference[], cluster: Omit<ClusterBond, "isReferenced">): ClusterBond {
  const wanted = withClusterOwner(owners, cluster.isOutlived ? undefined : cluster.reference);
  const text = (all: readonly OwnerReference[]) =>
    JSON.stringify(all.filter(isClusterReference).map(({ apiVersion, name, uid }) => [apiVersion, name, uid]));
  return { ...cluster, isReferenced: text(owners) === text(wanted) };
}
