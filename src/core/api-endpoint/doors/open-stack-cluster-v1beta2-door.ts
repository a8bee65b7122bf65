// The first door where a server holds OpenStackClusters in v1beta2 only: objects are put into v1beta1 on their way in, and the status
// is put back into v1beta2 on its way out. Nothing else knows the difference.

import type { KubeObject } from "../../../apis/kube-object.ts";
import {
  type OpenStackCluster,
  type OpenStackClusterV1beta2,
  openStackClusters,
  openStackClustersV1beta2,
} from "../../../apis/openstack-cluster.ts";
import { fieldInV1beta2, toV1beta1, toV1beta2 } from "../../../apis/openstack-cluster-conversion.ts";
import type { ClusterOfDoor } from "./block-intent.ts";
import type { EndpointStatus } from "./endpoint-status.ts";
import { type Claims, openStackClusterDoor } from "./open-stack-cluster-door.ts";

export function openStackClusterV1beta2Door(claims: Claims) {
  const door = openStackClusterDoor(claims);
  return {
    root: openStackClustersV1beta2,
    clusterOf: (object: OpenStackClusterV1beta2) => door.clusterOf(toV1beta1(object)),
    identityOf: (object: OpenStackClusterV1beta2) => door.identityOf(toV1beta1(object)),
    intentOf: (object: OpenStackClusterV1beta2, cluster: ClusterOfDoor) => door.intentOf(toV1beta1(object), cluster),
    problemsOf: (object: OpenStackClusterV1beta2) =>
      door.problemsOf(toV1beta1(object)).map((problem) => ({ ...problem, where: fieldInV1beta2(problem.where) })),
    recordedOf: (object: OpenStackClusterV1beta2) => door.recordedOf(toV1beta1(object)),
    isProvisioned: (object: OpenStackClusterV1beta2) => door.isProvisioned(toV1beta1(object)),
    opensGate: door.opensGate,
    statusOf: (status: EndpointStatus, object: OpenStackClusterV1beta2) =>
      inV1beta2(door.statusOf(status, toV1beta1(object)), object),
  } as const;
}

function inV1beta2(
  status: Readonly<Record<string, unknown>>,
  { metadata, kind }: KubeObject,
): Readonly<Record<string, unknown>> {
  const { name } = metadata;
  const apiVersion = `${openStackClusters.group}/${openStackClusters.version}`;
  const carrier = { apiVersion, kind, metadata: { name }, status } as OpenStackCluster;
  return toV1beta2(carrier).status ?? {};
}
