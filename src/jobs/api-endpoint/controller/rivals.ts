// Collects the objects that would get in an object's way; who of them is right is decided in core/situation/rivals.ts.

import { clusterApiVersions } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { formatRef, type KubeObject, type ObjectRef, resourceName } from "../../../apis/kube/kube-object.ts";
import type { Problem } from "../../../apis/text/problem.ts";
import { finalizerOf, hasFinalizer } from "../../../core/ownership.ts";
import type { Reader } from "../../../engine/feature.ts";
import { firstServedVersion, inVersions } from "../../../engine/round/first-served-version.ts";
import { deleteForMoveAnnotation } from "../apis/annotations.ts";
import { ownerCluster } from "../core/front-doors/open-stack-cluster-door.ts";
import {
  clusterTaken,
  isOriginal,
  type OwnerRival,
  ownerIdOf,
  ownerIdTaken,
  rivalsForbidden,
} from "../core/situation/rivals.ts";
import type { NotOurs } from "../core/situation/standing.ts";
import type { FrontDoor } from "./front-door.ts";
import type { ObservedCluster } from "./observe-cluster.ts";
import { secretIndex, secretIndexOf } from "./observe-credentials.ts";

const ownerIndex = "owner-id";
const standsForIndex = "stands-for";

type Indexes = Readonly<Record<string, (object: KubeObject) => readonly string[]>>;

const ownerIds = (object: KubeObject) => valuesOf(ownerIdOf(object));
const ownedBy: Indexes = {
  [ownerIndex]: ownerIds,
  [secretIndex]: secretIndexOf,
  [standsForIndex]: (object) => valuesOf(ownerCluster(object)).map(formatRef),
};
const naming: Indexes = {
  [ownerIndex]: ownerIds,
  [secretIndex]: secretIndexOf,
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

/** Another object for the same Cluster is right. */
export function rivalForCluster(
  object: KubeObject,
  { facts: { ref: cluster }, infrastructure }: ObservedCluster,
  door: FrontDoor,
  reader: Reader,
): readonly Problem[] {
  const of = ({ root }: FrontDoor) => reader.cached(root).byIndex(standsForIndex, formatRef(cluster));
  const { yieldsTo: first, namesCluster } = door;
  const preceding = first === undefined ? [] : of(first).filter((one) => isLookedAfter(one, first));
  return clusterTaken(object, { cluster, infrastructure, namesCluster, preceding, beside: of(door) });
}

/** Another object with the same owner id is right. */
export async function rivalForOwnerId(
  object: KubeObject,
  door: FrontDoor,
  reader: Reader,
): Promise<NotOurs | undefined> {
  if (isOriginal(object)) return undefined;
  const { yieldsTo, precedes } = door;
  if (yieldsTo !== undefined && reader.cached(yieldsTo.root).state === "forbidden")
    return rivalsForbidden(object, resourceName(yieldsTo.root));
  const doors = [yieldsTo, door, precedes].flatMap((one) => one ?? []);
  const rivals = await Promise.all(doors.map((one) => withOwnerIdOf(object, one, reader)));
  return ownerIdTaken(object, rivals.flat());
}

async function withOwnerIdOf(object: KubeObject, door: FrontDoor, reader: Reader): Promise<readonly OwnerRival[]> {
  const store = reader.cached(door.root);
  const found =
    store.state === "not-served"
      ? await inOtherVersions(door, object, reader)
      : store.byIndex(ownerIndex, ownerIdOf(object) ?? "");
  return found.map((one) => ({
    object: one,
    isServed: !isMoved(one) && (isLookedAfter(one, door) || hasFinalizer(one, finalizerOf(door.name))),
  }));
}

function isMoved({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[deleteForMoveAnnotation] !== undefined;
}

function isLookedAfter(object: KubeObject, door: FrontDoor): boolean {
  return door.clusterOf(object) !== undefined;
}

/** A kind that is served in another version alone is not watched; what its objects bear is the same in all of them. */
async function inOtherVersions(
  { root }: FrontDoor,
  object: KubeObject,
  { kube, signal }: Reader,
): Promise<readonly KubeObject[]> {
  const { namespace = "" } = object.metadata;
  const others = clusterApiVersions.filter((version) => version !== root.version);
  const list = await firstServedVersion(inVersions(root, others), (served) =>
    kube.list(served, { namespace }, { signal }),
  );
  // Items of a list need not say what they are.
  return (list?.items ?? [])
    .map((one) => ({ ...one, kind: root.kind }))
    .filter((one) => ownerIdOf(one) === ownerIdOf(object));
}
