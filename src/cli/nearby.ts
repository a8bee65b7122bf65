// The hint for an object that does not exist: objects of a similar name. Users who may not list them get the usual hint.

import { formatRef, type Kind, type ObjectRef, refOf } from "../apis/kube/kube-object.ts";
import { nearest } from "../apis/text/nearest.ts";
import { listEverything } from "../engine/round/list-everything.ts";
import type { KubeReader } from "../ports/kube.ts";

/** Asks for one of the same name elsewhere, then for one of nearly this name; else `otherwise`. */
export async function nearbyHint(kube: KubeReader, kind: Kind, ref: ObjectRef, otherwise: string): Promise<string> {
  const there = await listEverything(kube, kind).then(
    (objects) => objects.map(refOf),
    () => [],
  );
  const namesake = there.filter(({ name }) => name === ref.name).map(formatRef);
  const beside = there.filter(({ namespace }) => namespace === ref.namespace).map(({ name }) => name);
  const alike = nearest(ref.name, beside);
  const meant = alike === undefined ? namesake : [formatRef({ ...ref, name: alike })];
  return meant.length === 0 ? otherwise : `Did you mean ${meant.toSorted().slice(0, 3).join(" or ")}?`;
}
