// Reads the world for one object of a door: from caches what Kubernetes has, from the cloud what it has. Reads only. An object that is
// paused, or not yet claimed, costs the cloud no call.

import type { KubeObject, ObjectRef } from "../../../apis/kube/kube-object.ts";
import type { Unknown } from "../../../core/known.ts";
import type { Reader } from "../../../engine/feature.ts";
import type { EndpointIntent } from "../core/model/intent.ts";
import type { EndpointObserved, ObjectFacts } from "../core/model/observed.ts";
import type { FrontDoor } from "./front-door.ts";
import { observeCluster } from "./observe-cluster.ts";
import { type Clouds, observeFrontDoor, ownFacts } from "./observe-front-door.ts";
import { rivalForCluster, rivalForOwnerId } from "./rivals.ts";

/** What the report needs beside what the planner sees. */
export interface ObservedEndpoint extends EndpointObserved {
  readonly kubeObject: KubeObject;
}

export function observeEndpoint(door: FrontDoor, clouds: Clouds) {
  return async (key: ObjectRef, reader: Reader): Promise<ObservedEndpoint | undefined> => {
    const object = reader.cached(door.root).get(key);
    if (object === undefined) {
      clouds.memory.forget(key);
      return undefined;
    }
    const found = observeCluster(object, door, reader);
    if (found === undefined) return undefined;
    const { facts: cluster } = found;
    const intent = door.intentOf(object, cluster);
    const observed = await observeFrontDoor({
      ...clouds,
      door,
      object,
      cluster,
      intent,
      reader,
      closed: handsOff(
        intent,
        ownFacts(object, cluster, door),
        found.missing ?? (await rivalForOwnerId(object, door, reader)),
      ),
    });
    const problems = [...(observed.problems ?? []), ...rivalForCluster(object, found, door, reader)];
    const { failed } = reader;
    return { ...observed, problems, kubeObject: object, ...(failed === undefined ? {} : { failed }) };
  };
}

function handsOff(
  { ownerId, deleting }: EndpointIntent,
  { paused, hasFinalizer }: Pick<ObjectFacts, "paused" | "hasFinalizer">,
  unfit: Unknown | undefined,
): Unknown | undefined {
  const closed = (reason: Unknown["reason"], message: string): Unknown => ({ known: false, reason, message });
  if (paused) return closed("EndpointPaused", "nothing is asked of the cloud while paused");
  if (deleting && !hasFinalizer) return closed("EndpointDeleted", "nothing is left to do for it");
  if (unfit !== undefined) return unfit;
  if (ownerId === undefined || !hasFinalizer)
    return closed("EndpointUnclaimed", "nothing is asked of the cloud before the object is claimed");
  return undefined;
}
