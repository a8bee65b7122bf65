// Which Cluster an object of a door stands for. One that bears our finalizer is served to its end, also when nobody claims it any
// more or its Cluster went first: nobody else would ever take that finalizer away.

import { type Cluster, clusterNameLabel, clusters } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import {
  formatRef,
  type KubeObject,
  type ObjectRef,
  type OwnerReference,
  refOf,
} from "../../../apis/kube/kube-object.ts";
import { finalizerOf, hasFinalizer, isBeingDeleted } from "../../../core/ownership.ts";
import type { Reader } from "../../../engine/feature.ts";
import { ownerCluster } from "../core/front-doors/open-stack-cluster-door.ts";
import { type NotOurs, pausedClusterGone } from "../core/situation/standing.ts";
import type { ClusterFacts, FrontDoor } from "./front-door.ts";
import { refuseUnlisted } from "./unlisted.ts";

export interface ObservedCluster {
  readonly facts: ClusterFacts;
  readonly infrastructure: string | undefined;
  /** The Cluster is not there, and what follows from that. */
  readonly missing?: NotOurs;
}

/** Undefined: the object is none of our business, or not yet. */
export function observeCluster(object: KubeObject, door: FrontDoor, reader: Reader): ObservedCluster | undefined {
  const isLeaving = isLeavingDoor(object, door);
  const ref = isLeaving ? clusterRefOf(object, door) : door.clusterOf(object);
  if (ref === undefined) return undefined;
  refuseUnlisted(reader, clusters, "nobody knows whether the Cluster is paused, being deleted or gone");
  const store = reader.cached(clusters);
  const cluster = store.get(ref);
  const observed = { facts: factsOf(ref, cluster), infrastructure: cluster?.spec?.infrastructureRef?.name };
  // What could not be listed lately may be there by now.
  if (cluster === undefined && store.state !== "synced") return undefined;
  if (cluster !== undefined) return observed;
  const held = isLeaving || door.namesCluster ? pausedClusterGone(object, ref) : undefined;
  if (held !== undefined) return { ...observed, missing: held };
  if (isLeaving) return observed;
  if (!door.namesCluster) return undefined;
  const message = `${object.kind} ${formatRef(refOf(object))}: there is no Cluster ${formatRef(ref)}; nothing is made or changed until it is there`;
  return { ...observed, missing: { is: "without-cluster", reason: "ClusterNotFound", message } };
}

/** Why the object is none of our business, in words; undefined where it is. Without a reader the object alone is asked. */
export function whyUnclaimed(object: KubeObject, door: FrontDoor, reader?: Pick<Reader, "cached">): string | undefined {
  if (isLeavingDoor(object, door)) return undefined;
  const ref = door.clusterOf(object);
  if (ref === undefined) {
    const words = (door.lacks?.(object) ?? []).map(({ says, fix }) => `${says}. ${fix}`).join(" Also, ");
    return words === "" ? undefined : words;
  }
  if (door.namesCluster || reader?.cached(clusters).get(ref) !== undefined) return undefined;
  return reader?.cached(clusters).state === "synced"
    ? `there is no Cluster ${formatRef(ref)}, which its owner reference names`
    : undefined;
}

function isLeavingDoor(object: KubeObject, { name }: FrontDoor): boolean {
  return isBeingDeleted(object) && hasFinalizer(object, finalizerOf(name));
}

/** Also of one that stands for none any more: where it did before. */
export function clusterRefOf(object: KubeObject, door: FrontDoor): ObjectRef {
  const { name, namespace = "", labels = {} } = object.metadata;
  return door.clusterOf(object) ?? ownerCluster(object) ?? { namespace, name: labels[clusterNameLabel] ?? name };
}

function factsOf({ namespace = "", name }: ObjectRef, cluster: Cluster | undefined): ClusterFacts {
  const { host = "", port = 0 } = cluster?.spec?.controlPlaneEndpoint ?? {};
  return {
    ref: { namespace, name },
    paused: cluster?.spec?.paused ?? false,
    ...(cluster?.metadata.uid === undefined ? {} : { reference: referenceTo(cluster, cluster.metadata.uid) }),
    deleting: cluster !== undefined && isBeingDeleted(cluster),
    endpoint: host === "" ? undefined : { host, port },
  };
}

/** Neither a controller's nor one that blocks: see core/situation/cluster-bond.ts. */
function referenceTo({ apiVersion, kind, metadata: { name } }: Cluster, uid: string): OwnerReference {
  return { apiVersion, kind, name, uid };
}
