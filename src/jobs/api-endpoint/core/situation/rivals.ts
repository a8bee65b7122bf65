// Objects that would get in each other's way: those with one owner id, and those for one Cluster. One of them is right, always the same
// one, and the others say which.
//
// Of those with one owner id only one may act in its name: what the cloud has is found by it, and would go with any of them.
//   its uid is the id                      it is the original, through whichever door; nobody can forge that
//   nobody's is (after clusterctl move)    of each namespace an OpenStackCluster before an APIEndpoint, then the older; of these the oldest,
//                                          so that nobody who comes later silences anybody elsewhere
//   it was last served in another project  it is in nobody's way: status says where, and only we write that

import { formatRef, type KubeObject, type ObjectRef, refOf } from "../../../../apis/kube/kube-object.ts";
import type { Problem } from "../../../../apis/text/problem.ts";
import { locationAnnotation, ownerIdAnnotation } from "../../apis/annotations.ts";
import type { NotOurs } from "./standing.ts";

export interface OwnerRival {
  readonly object: KubeObject;
  /** Something is done for it, or will be when it goes: its deletion takes everything along that bears its owner id. */
  readonly isServed: boolean;
}

export function ownerIdOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[ownerIdAnnotation];
}

/** Whether nobody else can have a better right to its owner id. */
export function isOriginal(object: KubeObject): boolean {
  const ownerId = ownerIdOf(object);
  return !ownerId || object.metadata.uid === ownerId;
}

/**
 * Why nothing may be made, changed or deleted in the name of a copy. `rivals` bear the same owner id, the object itself included; those
 * whose front door comes first come first.
 */
export function ownerIdTaken(object: KubeObject, rivals: readonly OwnerRival[]): NotOurs | undefined {
  if (isOriginal(object)) return undefined;
  const served = rivals.filter((one) => one.isServed || isSame(one.object, object)).map((one) => one.object);
  const right =
    served.find(isOriginal) ?? firstOf(served.filter((one) => isSame(one, object) || !isElsewhere(one, object)));
  if (right === undefined || isSame(right, object)) return undefined;
  const message = `${nameOf(object)}: its annotation ${ownerIdAnnotation} is that of ${nameOf(right)}, whose balancers bear it; nothing is done for a copy. Delete it and make it again without the annotation and without finalizers`;
  return { is: "copy", reason: "OwnerIdTaken", message };
}

/** Rivals of a kind that may not be listed could be the original. */
export function rivalsForbidden(object: KubeObject, resource: string): NotOurs {
  const message = `${nameOf(object)}: whether its owner id is another object's cannot be told; let the controller list and watch ${resource}`;
  return { is: "undecided", reason: "PermissionDenied", message };
}

/** Of objects by namespace and age; they come sorted by front door. */
function firstOf(objects: readonly KubeObject[]): KubeObject | undefined {
  const namespaces = new Set(objects.map(({ metadata }) => metadata.namespace));
  const leaders = [...namespaces].flatMap((namespace) => {
    const here = objects.filter(({ metadata }) => metadata.namespace === namespace);
    return oldestFirst(here.filter(({ kind }) => kind === here[0]?.kind))[0] ?? [];
  });
  return oldestFirst(leaders)[0];
}

function isElsewhere(other: KubeObject & { readonly status?: { readonly project?: string } }, object: KubeObject) {
  const location = object.metadata.annotations?.[locationAnnotation];
  const { project } = other.status ?? {};
  return location !== undefined && project !== undefined && project !== location;
}

export interface ClusterRivals {
  readonly cluster: ObjectRef;
  /** The OpenStackCluster that the Cluster names. */
  readonly infrastructure: string | undefined;
  /** Whether the object itself names its Cluster, and not Cluster API. */
  readonly namesCluster: boolean;
  /** Those of the front door that comes first, as far as anything is done for them. */
  readonly preceding: readonly KubeObject[];
  /** Those of the same front door, the object itself included. */
  readonly beside: readonly KubeObject[];
}

/** Two sets of balancers for one cluster would both want to be its endpoint. */
export function clusterTaken(object: KubeObject, rivals: ClusterRivals): readonly Problem[] {
  const { cluster, infrastructure, namesCluster, preceding, beside } = rivals;
  const group = preceding.length > 0 ? preceding : beside;
  const isNamed = ({ kind, metadata }: KubeObject) =>
    (kind !== object.kind || !namesCluster) && metadata.name === infrastructure;
  const right = group.find(isNamed) ?? oldestFirst(group)[0];
  if (right === undefined || isSame(right, object)) return [];
  const where = namesCluster ? "spec.clusterRef.name" : "metadata.ownerReferences";
  const message = `Cluster ${formatRef(cluster)} has ${nameOf(right)} already`;
  const hint =
    right.kind === object.kind
      ? "Delete one of the two."
      : `Delete this ${object.kind}; only what it made itself goes with it.`;
  return [{ where, message, hint }];
}

export function oldestFirst<T extends KubeObject>(all: readonly T[]): readonly T[] {
  const age = ({ metadata }: KubeObject) =>
    `${metadata.creationTimestamp ?? ""} ${metadata.name} ${metadata.namespace ?? ""}`;
  return all.toSorted((a, b) => (age(a) < age(b) ? -1 : 1));
}

function nameOf(object: KubeObject): string {
  return `${object.kind} ${formatRef(refOf(object))}`;
}

function isSame(a: KubeObject, b: KubeObject): boolean {
  return nameOf(a) === nameOf(b);
}
