// Objects that would get in each other's way: a copy that was made with the original's owner id, and a second one for the same Cluster,
// through the same door or the other. One of them is right, always the same one; the other is told.

import { ownerIdAnnotation } from "../../apis/api-endpoint-annotations.ts";
import { formatRef, type KubeObject, type ObjectRef, refOf, resourceName } from "../../apis/kube-object.ts";
import type { Problem } from "../../apis/problem.ts";
import { ownerCluster } from "../../core/api-endpoint/doors/open-stack-cluster-door.ts";
import type { Unknown } from "../../core/known.ts";
import { finalizerOf, hasFinalizer } from "../../core/ownership.ts";
import type { Reader } from "../../engine/feature.ts";
import type { ClusterSeen } from "./cluster-of.ts";
import type { EndpointDoor } from "./endpoint-door.ts";

const ownerIndex = "owner-id";
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
export function rootIndexes({ namesCluster }: EndpointDoor): Indexes {
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

const name = (object: KubeObject) => `${object.kind} ${formatRef(refOf(object))}`;

/** What the cloud has bears the original's id, so nothing may be made, changed or deleted in the copy's name. */
export function ownerTaken(object: KubeObject, door: EndpointDoor, reader: Reader): Unknown | undefined {
  const ownerId = object.metadata.annotations?.[ownerIdAnnotation];
  if (!ownerId) return undefined;
  if (door.yieldsTo !== undefined && reader.cached(door.yieldsTo.root).state === "forbidden") {
    const message = `${name(object)}: whether its owner id is another object's cannot be told; let the controller list and watch ${resourceName(door.yieldsTo.root)}`;
    return { known: false, reason: "PermissionDenied", message };
  }
  const original = rightAmong(
    candidates(door, reader, [ownerIndex, ownerId], isOursToSeeOff),
    ({ metadata }) => metadata.uid === ownerId,
  );
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
  const isNamed = ({ kind, metadata }: KubeObject) =>
    (kind !== door.root.kind || !door.namesCluster) && metadata.name === infrastructure;
  const right = rightAmong(candidates(door, reader, [standsForIndex, formatRef(ref)], isLookedAfter), isNamed);
  if (right === undefined || isSame(right, object)) return [];
  const where = door.namesCluster ? "spec.clusterRef.name" : "metadata.ownerReferences";
  const message = `Cluster ${formatRef(ref)} has ${name(right)} already`;
  const hint =
    right.kind === object.kind
      ? "Delete one of the two."
      : `Delete this ${object.kind}; only what it made itself goes with it.`;
  return [{ where, message, hint }];
}

/** Those of a door that comes first, as far as they count there; then those of the same door. */
function candidates(
  door: EndpointDoor,
  reader: Reader,
  [index, value]: readonly [string, string],
  counts: (object: KubeObject, first: EndpointDoor) => boolean,
): readonly (readonly KubeObject[])[] {
  const of = ({ root }: EndpointDoor) => reader.cached(root).byIndex(index, value);
  const { yieldsTo: first } = door;
  return first === undefined ? [of(door)] : [of(first).filter((object) => counts(object, first)), of(door)];
}

const isLookedAfter = (object: KubeObject, door: EndpointDoor) => door.clusterOf(object) !== undefined;

/** Its deletion takes everything along that bears its owner id, also when nobody looks after it any more. */
const isOursToSeeOff = (object: KubeObject, door: EndpointDoor) =>
  isLookedAfter(object, door) || hasFinalizer(object, finalizerOf(door.name));

function rightAmong(
  groups: readonly (readonly KubeObject[])[],
  isRight: (object: KubeObject) => boolean,
): KubeObject | undefined {
  const group = groups.find((objects) => objects.length > 0) ?? [];
  return group.find(isRight) ?? oldest(group);
}

function oldest(all: readonly KubeObject[]): KubeObject | undefined {
  const age = ({ metadata }: KubeObject) => `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  return all.toSorted((a, b) => (age(a) < age(b) ? -1 : 1))[0];
}

function isSame(a: KubeObject, b: KubeObject): boolean {
  return name(a) === name(b);
}
