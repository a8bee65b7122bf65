// Which object of a cluster commands are about, and its front door. Of two, as the controllers do (core/situation/rivals.ts): the
// OpenStackCluster where Mainstay manages it, else the APIEndpoint.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { MainstayError } from "../../../core/errors.ts";
import { finalizerOf, hasFinalizer } from "../../../core/ownership.ts";
import { externallyManagedAnnotation } from "../apis/annotations.ts";
import { apiEndpoints } from "../apis/api-endpoint/api-endpoint.ts";
import { openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import type { FrontDoor } from "../controller/front-door.ts";
import { apiEndpointDoor } from "../core/front-doors/api-endpoint-door.ts";
import { type Claims, openStackClusterDoor } from "../core/front-doors/open-stack-cluster-door.ts";
import type { ClusterObjects } from "./read-cluster.ts";

export function frontDoorOf({ kind }: KubeObject, claims: Claims): FrontDoor {
  return kind === apiEndpoints.kind
    ? { name: "api-endpoint", ...apiEndpointDoor }
    : { name: "openstack-cluster", ...openStackClusterDoor(claims) };
}

export function objectOf({ facts, apiEndpoint, openStackCluster, ...cluster }: ClusterObjects): KubeObject {
  const isManaged = openStackCluster !== undefined && hasFinalizer(openStackCluster, finalizerOf("openstack-cluster"));
  const found = isManaged ? openStackCluster : (apiEndpoint ?? openStackCluster);
  if (found !== undefined) return found;
  const { namespace, name } = facts.ref;
  const { infrastructureKind: kind, infrastructureName } = cluster;
  const has =
    kind === openStackClusters.kind
      ? `its OpenStackCluster ${infrastructureName} does not exist`
      : `its infrastructure is ${kind === "" ? "not named" : `of kind ${kind}`}`;
  const hint = `Mainstay reads an ${openStackClusters.kind} or an ${apiEndpoints.kind} of the cluster; make an ${apiEndpoints.kind} for it.`;
  throw new MainstayError({
    reason: "ObjectNotFound",
    message: `Cluster ${namespace}/${name} has no ${openStackClusters.kind} and no ${apiEndpoints.kind}: ${has}, and no ${apiEndpoints.kind} names the Cluster`,
    hint,
  });
}

/** Annotated as managed by somebody else than CAPO, or everything is ours. */
export function isClaimed(object: KubeObject | undefined, claims: Claims): boolean {
  if (object === undefined) return false;
  const { annotations = {}, labels = {} } = object.metadata;
  return claims === "all" || { ...labels, ...annotations }[externallyManagedAnnotation] !== undefined;
}
