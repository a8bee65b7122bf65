// An object at rest is one for which nothing was to be done when it was last observed, and which is as it was then, whatever became of its
// status. It is observed together with others (cloud/shared-answers.ts), and what Neutron alone can tell is asked for every few minutes
// (cloud/pace.ts). Such an answer may only say that there still is nothing to do. Whatever a plan would do or wait for, it does after the
// object has been observed by itself.

import { formatRef, type KubeObject, type ObjectRef } from "../../../apis/kube/kube-object.ts";
import type { Reader } from "../../../engine/feature.ts";
import type { EndpointPlan } from "./endpoint-plans.ts";
import type { FrontDoor } from "./front-door.ts";
import type { HowToObserve, ObservedEndpoint } from "./observe.ts";

type Observe = (key: ObjectRef, reader: Reader, how: HowToObserve) => Promise<ObservedEndpoint | undefined>;

export function observeAtRest({ root }: Pick<FrontDoor, "root">, observe: Observe, plan: EndpointPlan) {
  /** Objects at rest, by key, as people made them. */
  const resting = new Map<string, string>();
  const isQuiet = (observed: ObservedEndpoint, reader: Reader): boolean => {
    const { actions, waits } = plan(observed, reader.nowMs);
    return !isBusy(reader) && actions.length === 0 && waits.length === 0;
  };
  return async (key: ObjectRef, reader: Reader): Promise<ObservedEndpoint | undefined> => {
    const id = formatRef(key);
    const version = versionBesideStatus(reader.cached(root).get(key));
    const wasAtRest = version !== undefined && resting.get(id) === version && !isBusy(reader);
    resting.delete(id);
    const first = await observe(key, reader, { isAtRest: wasAtRest });
    if (first === undefined || version === undefined) return first;
    const wasQuiet = isQuiet(first, reader);
    const observed = wasQuiet || !isShared(first) ? first : await observe(key, reader, { isAtRest: false });
    if (observed !== undefined && (wasQuiet || isQuiet(observed, reader))) resting.set(id, version);
    return observed;
  };
}

/** Status is ours, and others may write it as often as they like: neither says anything about the cloud. */
function versionBesideStatus(object: KubeObject | undefined): string | undefined {
  if (object === undefined) return undefined;
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata;
  return JSON.stringify(metadata);
}

function isShared({ sharedAskedMs }: ObservedEndpoint): boolean {
  return sharedAskedMs !== undefined;
}

/** Something that was begun is still under way, or failed and will be tried again. */
function isBusy({ underWay = [], failed }: Reader): boolean {
  return underWay.length > 0 || (failed?.size ?? 0) > 0;
}
