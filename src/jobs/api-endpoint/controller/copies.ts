// Of all objects that bear one owner id only one may act in its name: what the cloud has is found by it, and would go with any of them.
//
//   its uid is the id                      it is the original, through whichever door; nobody can forge that
//   nobody's is (after clusterctl move)    of each namespace an OpenStackCluster before an APIEndpoint, then the older; of these the oldest,
//                                          so that nobody who comes later silences anybody elsewhere
//   it was last served in another project  it is in nobody's way: status says where, and only we write that

import { clusterApiVersions } from "../../../apis/cluster-api/cluster-api-kinds.ts";
import { type KubeObject, resourceName } from "../../../apis/kube/kube-object.ts";
import type { Unknown } from "../../../core/known.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import { finalizerOf, hasFinalizer } from "../../../core/ownership.ts";
import type { Reader } from "../../../engine/feature.ts";
import { locationAnnotation, ownerIdAnnotation } from "../apis/annotations.ts";
import type { EndpointDoor } from "./front-door.ts";
import { isLookedAfter, isSame, nameOf, oldest, ownerIndex } from "./rivals.ts";

/** What the cloud has bears the original's id, so nothing may be made, changed or deleted in the copy's name. */
export async function ownerTaken(object: KubeObject, door: EndpointDoor, reader: Reader): Promise<Unknown | undefined> {
  const ownerId = ownerIdOf(object);
  if (!ownerId || object.metadata.uid === ownerId) return undefined;
  if (door.yieldsTo !== undefined && reader.cached(door.yieldsTo.root).state === "forbidden") {
    const message = `${nameOf(object)}: whether its owner id is another object's cannot be told; let the controller list and watch ${resourceName(door.yieldsTo.root)}`;
    return { known: false, reason: "PermissionDenied", message };
  }
  const groups = await Promise.all(
    [door.yieldsTo, door, door.precedes].map(async (one) =>
      one === undefined ? [] : await bearersOf(one, object, reader),
    ),
  );
  const bearers = groups.flat();
  const right =
    bearers.find(({ metadata }) => metadata.uid === ownerId) ??
    firstOf(bearers.filter((one) => isSame(one, object) || !isElsewhere(one, object)));
  if (right === undefined || isSame(right, object)) return undefined;
  const message = `${nameOf(object)}: its annotation ${ownerIdAnnotation} is that of ${nameOf(right)}, whose balancers bear it; nothing is done for a copy. Delete it and make it again without the annotation and without finalizers`;
  return { known: false, reason: "OwnerIdTaken", message };
}

function ownerIdOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[ownerIdAnnotation];
}

/** Those of a door that anything is done for; the object itself among them. */
async function bearersOf(door: EndpointDoor, object: KubeObject, reader: Reader): Promise<readonly KubeObject[]> {
  const ownerId = ownerIdOf(object) ?? "";
  const store = reader.cached(door.root);
  const bearers =
    store.state === "not-served" ? await inOtherVersions(door, object, reader) : store.byIndex(ownerIndex, ownerId);
  return bearers.filter((one) => isSame(one, object) || isOursToSeeOff(one, door));
}

/** Its deletion takes everything along that bears its owner id, also when nobody looks after it any more. */
function isOursToSeeOff(object: KubeObject, door: EndpointDoor): boolean {
  return isLookedAfter(object, door) || hasFinalizer(object, finalizerOf(door.name));
}

/** A kind that is served in another version alone is not watched; what its objects bear is the same in all of them. */
async function inOtherVersions(
  { root }: EndpointDoor,
  object: KubeObject,
  { kube, signal }: Reader,
): Promise<readonly KubeObject[]> {
  const { namespace = "" } = object.metadata;
  for (const version of clusterApiVersions.filter((one) => one !== root.version)) {
    try {
      const { items } = await kube.list({ ...root, version }, { namespace }, { signal });
      // Items of a list need not say what they are.
      return items.map((one) => ({ ...one, kind: root.kind })).filter((one) => ownerIdOf(one) === ownerIdOf(object));
    } catch (error) {
      if (!isKubeError(error, "NotFound", "KindNotServed")) throw error;
    }
  }
  return [];
}

function isElsewhere(other: KubeObject & { readonly status?: { readonly project?: string } }, object: KubeObject) {
  const location = object.metadata.annotations?.[locationAnnotation];
  const { project } = other.status ?? {};
  return location !== undefined && project !== undefined && project !== location;
}

/** They come sorted by door. */
function firstOf(bearers: readonly KubeObject[]): KubeObject | undefined {
  const namespaces = new Set(bearers.map(({ metadata }) => metadata.namespace));
  const leaders = [...namespaces].flatMap((namespace) => {
    const here = bearers.filter(({ metadata }) => metadata.namespace === namespace);
    return oldest(here.filter(({ kind }) => kind === here[0]?.kind)) ?? [];
  });
  return oldest(leaders);
}
