// Objects that would get in each other's way: a copy that was made with the original's owner id, and a second one for the same Cluster.
// One of them is right, always the same one; the other is told.

import { ownerIdAnnotation } from "../../apis/api-endpoint-annotations.ts";
import { formatRef, type KubeObject, refOf } from "../../apis/kube-object.ts";
import type { Problem } from "../../apis/problem.ts";
import type { Unknown } from "../../core/known.ts";
import type { Reader } from "../../engine/feature.ts";
import type { ClusterSeen } from "./cluster-of.ts";
import type { EndpointDoor } from "./endpoint-door.ts";

const ownerIndex = "owner-id";
const standsForIndex = "stands-for";

/** For the watch on a door's own objects. */
export function rootIndexes(door: EndpointDoor): Readonly<Record<string, (object: KubeObject) => readonly string[]>> {
  return {
    [ownerIndex]: ({ metadata }) => valuesOf(metadata.annotations?.[ownerIdAnnotation]),
    [standsForIndex]: (object) => valuesOf(door.clusterOf(object)).map(formatRef),
  };
}

function valuesOf<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

const name = (object: KubeObject) => `${object.kind} ${formatRef(refOf(object))}`;

/** What the cloud has bears the original's id, so nothing may be made, changed or deleted in the copy's name. */
export function ownerTaken(object: KubeObject, door: EndpointDoor, reader: Reader): Unknown | undefined {
  const ownerId = object.metadata.annotations?.[ownerIdAnnotation];
  if (!ownerId) return undefined;
  const all = reader.cached(door.root).byIndex(ownerIndex, ownerId);
  const original = all.find(({ metadata }) => metadata.uid === ownerId) ?? oldest(all);
  if (original === undefined || isSame(original, object)) return undefined;
  const message = `${name(object)}: its annotation ${ownerIdAnnotation} is that of ${name(original)}, whose balancers bear it; nothing is done for a copy. Delete it and make it again without the annotation and without finalizers`;
  return { known: false, reason: "OwnerIdTaken", message };
}

/** Two sets of balancers for one cluster would both want to be its endpoint. */
export function clusterTaken(
  object: KubeObject,
  { facts: { ref }, infrastructure }: ClusterSeen,
  door: EndpointDoor,
  reader: Reader,
): readonly Problem[] {
  const all = reader.cached(door.root).byIndex(standsForIndex, formatRef(ref));
  const isNamed = ({ metadata }: KubeObject) => !door.namesCluster && metadata.name === infrastructure;
  const right = all.find(isNamed) ?? oldest(all);
  if (right === undefined || isSame(right, object)) return [];
  const where = door.namesCluster ? "spec.clusterRef.name" : "metadata.ownerReferences";
  const message = `Cluster ${formatRef(ref)} has ${name(right)} already`;
  return [{ where, message, hint: "Delete one of the two." }];
}

function oldest(all: readonly KubeObject[]): KubeObject | undefined {
  const age = ({ metadata }: KubeObject) => `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  return all.toSorted((a, b) => (age(a) < age(b) ? -1 : 1))[0];
}

function isSame(a: KubeObject, b: KubeObject): boolean {
  return formatRef(refOf(a)) === formatRef(refOf(b));
}
