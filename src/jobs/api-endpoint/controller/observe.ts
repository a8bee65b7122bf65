// Reads the world for one object of a door: from caches what Kubernetes has, from the cloud what it has. Reads only. An object that is
// paused, or not yet claimed, costs the cloud no call.

import { formatRef, type KubeObject, type ObjectRef } from "../../../apis/kube/kube-object.ts";
import { MainstayError } from "../../../core/errors.ts";
import { present } from "../../../core/present.ts";
import { isReason } from "../../../core/reasons.ts";
import type { Reader } from "../../../engine/feature.ts";
import { probeTargets } from "../core/probes/probe-targets.ts";
import { mayAskCloud, type NotOurs, standingOf } from "../core/situation/standing.ts";
import type { AddressedAction } from "./addressed.ts";
import type { FrontDoor } from "./front-door.ts";
import type { CloudMemory } from "./memory.ts";
import { observeCluster } from "./observe-cluster.ts";
import { sharedSecrets } from "./observe-credentials.ts";
import { type Clouds, type ObservedFrontDoor, observeFrontDoor, ownFacts } from "./observe-front-door.ts";
import type { Probes } from "./probes.ts";
import { rivalForCluster, rivalForOwnerId } from "./rivals.ts";
import type { RoundMemory } from "./round-memory.ts";

/** What the report needs beside what the planner sees. */
export interface ObservedEndpoint extends ObservedFrontDoor {
  readonly kubeObject: KubeObject;
}

export interface HowToObserve {
  /** See observe-at-rest.ts. */
  readonly isAtRest: boolean;
  /** Balancers below which it is looked again, though what was observed should still hold. */
  readonly readAgain?: ReadonlySet<string>;
}

/** What the process remembers beside what it knows of clouds. */
interface Remembered {
  readonly roundMemory: RoundMemory;
  /** Absent where nobody asks the balancers' addresses. */
  readonly probes: Probes | undefined;
}

export function observeEndpoint(door: FrontDoor, clouds: Clouds, { roundMemory, probes }: Remembered) {
  return async (key: ObjectRef, reader: Reader, how: HowToObserve): Promise<ObservedEndpoint | undefined> => {
    const object = reader.cached(door.root).get(key);
    if (object === undefined) {
      clouds.memory.forget(key);
      roundMemory.forget(formatRef(key));
      probes?.forget(formatRef(key));
      return undefined;
    }
    const found = observeCluster(object, door, reader);
    if (found === undefined) return undefined;
    const { facts: cluster } = found;
    const intent = door.intentOf(object, cluster);
    const against = found.missing ?? (await rivalForOwnerId(object, door, reader));
    const standing = standingOf(intent, ownFacts(object, cluster, door), against);
    if (!mayAskCloud(standing)) endUnderWay(standing, reader, clouds.memory, key);
    const observed = await observeFrontDoor({
      ...clouds,
      door,
      object,
      cluster,
      intent,
      reader,
      isSecretShared: sharedSecrets({ door, object, reader }),
      standing,
      ...how,
    });
    if (observed.standing.is === "elsewhere") endUnderWay(observed.standing, reader, clouds.memory, key);
    const problems = [...(observed.problems ?? []), ...rivalForCluster(object, found, door, reader)];
    const { failed } = reader;
    const underWay = reader.underWay as readonly AddressedAction[] | undefined;
    const probed = probes?.observe(formatRef(key), probeTargets(observed), reader.monotonicMs);
    const deletingForMs = roundMemory.deletingForMs(formatRef(key), observed, reader.nowMs);
    const remembered = roundMemory.of(formatRef(key), observed);
    const own = present({ failed, underWay, deletingForMs, probes: probed, ...remembered });
    return { ...observed, problems, kubeObject: object, ...own };
  };
}

/** Not even the rest of what was begun before is sent. */
function endUnderWay({ reason, message }: NotOurs, reader: Reader, memory: CloudMemory, key: ObjectRef): void {
  memory.stopAsking(key);
  if (isReason(reason)) reader.endUnderWay?.(new MainstayError({ reason, message }));
}
