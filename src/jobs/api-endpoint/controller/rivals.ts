// Objects that would get in each other's way: two for the same Cluster, through the same door or the other. One of them is right, always
// the same one; the other is told. Those with one owner id are in copies.ts.

import { formatRef, type KubeObject, type ObjectRef, refOf } from "../../../apis/kube/kube-object.ts";
import type { Problem } from "../../../apis/text/problem.ts";
import type { Reader } from "../../../engine/feature.ts";
import { ownerIdAnnotation } from "../apis/annotations.ts";
import { ownerCluster } from "../core/front-doors/open-stack-cluster-door.ts";
import type { FrontDoor } from "./front-door.ts";
import type { ClusterSeen } from "./observe-cluster.ts";

export const ownerIndex = "owner-id";
const standsForIndex = "stands-for";

type Indexes = Readonly<Record<string, (object: KubeObject) => readonly string[]>>;

const ownerIdOf = ({ metadata }: KubeObject) => valuesOf(metadata.annotations?.[ownerIdAnnotation]);
const ownedBy: Indexes = {
  [ownerIndex]: ownerIdOf,
  [standsForIndex]: (object) => valuesOf(ownerCluster(object)).map(formatRef),
};
const naming: Indexes = {
  [ownerIndex]: ownerIdOf,
  [standsForIndex]: (object) => valuesOf(clusterNamedIn(object)).map(formatRef),
};

/** For every watch on a door's objects: controllers share them, so that they must be the same functions each time. */
export function rootIndexes({ namesCluster }: FrontDoor): Indexes {
  return namesCluster ? naming : ownedBy;
}

function clusterNamedIn(object: KubeObject & { readonly spec?: { readonly clusterRef?: { readonly name?: string } } }) {
  const { metadata, spec } = object;
  const name = spec?.clusterRef?.name ?? "";
  return name === "" ? undefined : ({ name, namespace: metadata.namespace ?? "" } satisfies ObjectRef);
}

function valuesOf<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

export const nameOf = (object: KubeObject) => `${object.kind} ${formatRef(refOf(object))}`;

/** Two sets of balancers for one cluster would both want to be its endpoint. */
export function clusterTaken(
  object: KubeObject,
  { facts: { ref }, infrastructure }: ClusterSeen,
  door: FrontDoor,
  reader: Reader,
): readonly Problem[] {
  const isNamed = ({ kind, metadata }: KubeObject) =>
    (kind !== door.root.kind || !door.namesCluster) && metadata.name === infrastructure;
  const right = rightAmong(candidates(door, reader, ref), isNamed);
  if (right === undefined || isSame(right, object)) return [];
  const where = door.namesCluster ? "spec.clusterRef.name" : "metadata.ownerReferences";
  const message = `Cluster ${formatRef(ref)} has ${nameOf(right)} already`;
  const hint =
    right.kind === object.kind
      ? "Delete one of the two."
      : `Delete this ${object.kind}; only what it made itself goes with it.`;
  return [{ where, message, hint }];
}

/** Those of a door that comes first, as far as they are looked after there; then those of the same door. */
function candidates(door: FrontDoor, reader: Reader, cluster: ObjectRef): readonly (readonly KubeObject[])[] {
  const of = ({ root }: FrontDoor) => reader.cached(root).byIndex(standsForIndex, formatRef(cluster));
  const { yieldsTo: first } = door;
  return first === undefined ? [of(door)] : [of(first).filter((object) => isLookedAfter(object, first)), of(door)];
}

export const isLookedAfter = (object: KubeObject, door: FrontDoor) => door.clusterOf(object) !== undefined;

function rightAmong(
  groups: readonly (readonly KubeObject[])[],
  isRight: (object: KubeObject) => boolean,
): KubeObject | undefined {
  const group = groups.find((objects) => objects.length > 0) ?? [];
  return group.find(isRight) ?? oldest(group);
}

export function oldest(all: readonly KubeObject[]): KubeObject | undefined {
  const age = ({ metadata }: KubeObject) =>
    `${metadata.creationTimestamp ?? ""} ${metadata.name} ${metadata.namespace ?? ""}`;
  return all.toSorted((a, b) => (age(a) < age(b) ? -1 : 1))[0];
}

export function isSame(a: KubeObject, b: KubeObject): boolean {
  return nameOf(a) === nameOf(b);
}
