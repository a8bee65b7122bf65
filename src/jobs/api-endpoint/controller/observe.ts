// Reads the world for one object of a door: from caches what Kubernetes has, from the cloud what it has. Reads only. An object that is
// paused, or not yet claimed, costs the cloud no call.

import { formatRef, type KubeObject, type ObjectRef } from "../../../apis/kube/kube-object.ts";
import type { Unknown } from "../../../core/known.ts";
import type { Reader } from "../../../engine/feature.ts";
import type { EndpointIntent } from "../core/model/intent.ts";
import type { EndpointObserved, ObjectFacts } from "../core/model/observed.ts";
import type { Sessions } from "./cloud/sessions.ts";
import type { ClusterKeys } from "./cluster-keys.ts";
import { clusterSeen } from "./cluster-of.ts";
import { ownerTaken } from "./copies.ts";
import type { EndpointDoor } from "./front-door.ts";
import { type Eyes, lookThroughDoor, ownFacts } from "./observe-endpoint.ts";
import { clusterTaken } from "./rivals.ts";

export interface EndpointShell extends Eyes {
  readonly sessions: Sessions;
  readonly keys: ClusterKeys;
}

/** What the report needs beside what the planner sees. */
export interface ObservedEndpoint extends EndpointObserved {
  readonly kubeObject: KubeObject;
}

export function observeEndpoint(door: EndpointDoor, shell: EndpointShell) {
  return async (key: ObjectRef, reader: Reader): Promise<ObservedEndpoint | undefined> => {
    const object = reader.cached(door.root).get(key);
    if (object === undefined) return forgotten(key, shell);
    const seen = clusterSeen(object, door, reader);
    if (seen === undefined) return undefined;
    const { facts: cluster } = seen;
    const intent = door.intentOf(object, cluster);
    const observed = await lookThroughDoor({
      door,
      object,
      cluster,
      intent,
      reader,
      eyes: shell,
      closed: handsOff(
        intent,
        ownFacts(object, cluster, door),
        seen.missing ?? (await ownerTaken(object, door, reader)),
      ),
      opened: (session) => shell.sessions.remember(intent.object, session),
    });
    const problems = [...(observed.problems ?? []), ...clusterTaken(object, seen, door, reader)];
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

function forgotten(key: ObjectRef, { sessions, memory, keys }: EndpointShell): undefined {
  keys.forget(key);
  sessions.forget(key);
  memory.capabilities.forget(formatRef(key));
  memory.looks.forget(formatRef(key));
  memory.places.forget(formatRef(key));
  memory.floatingIps.forget(formatRef(key));
  return undefined;
}
