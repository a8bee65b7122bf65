// An object at rest is one for which nothing was to be done when it was last observed, or nothing before machines are gone, and which is as it was then,
// whatever became of its status. It is observed together with others (cloud/shared-answers.ts), and what Neutron alone can tell is asked for every few minutes
// (cloud/pace.ts). Such an answer may only say that there still is nothing to do. Whatever a plan would do or wait for, it does after the
// object has been observed by itself. And what it would remove because others serve, it removes after those have been read again, in the same
// round, or in a later one where the cloud is slow (core/removal/fresh-health.ts).

import { formatRef, type KubeObject, type ObjectRef } from "../../../apis/kube/kube-object.ts";
import type { MonotonicMs } from "../../../core/clock-times.ts";
import { present } from "../../../core/present.ts";
import type { Word } from "../../../core/reasons.ts";
import type { Reader } from "../../../engine/feature.ts";
import { readAgainFor } from "../core/removal/fresh-health.ts";
import type { EndpointPlan } from "./endpoint-plans.ts";
import type { FrontDoor } from "./front-door.ts";
import type { HowToObserve, ObservedEndpoint } from "./observe.ts";

/** What ends these waits is watched, and nothing of it is in the cloud. */
const watchedReasons: readonly Word[] = ["MachinesRemain"];

type Observe = (key: ObjectRef, reader: Reader, how: HowToObserve) => Promise<ObservedEndpoint | undefined>;

export function observeAtRest({ root }: Pick<FrontDoor, "root">, observeNow: Observe, plan: EndpointPlan) {
  /** Objects at rest, by key, as people made them. */
  const resting = new Map<string, string>();
  /** Balancers that a removal waits for, by key. */
  const awaited = new Map<string, ReadonlySet<string>>();
  /** Since when one has waited without a break, by key. */
  const awaitedSince = new Map<string, MonotonicMs>();
  const observe: Observe = async (key, reader, how) => {
    const observed = await observeNow(key, reader, how);
    return observed && { ...observed, ...present({ healthAwaitedSince: awaitedSince.get(formatRef(key)) }) };
  };
  const isQuiet = (observed: ObservedEndpoint, reader: Reader): boolean => {
    const { actions, waits } = plan(observed, reader.nowMs);
    return !isBusy(reader) && actions.length === 0 && waits.every(({ reason }) => watchedReasons.includes(reason));
  };
  const readAgainIn = (observed: ObservedEndpoint | undefined, reader: Reader): ReadonlySet<string> =>
    observed === undefined ? new Set() : readAgainFor(plan(observed, reader.nowMs));
  const withFreshHealth = async (
    before: ObservedEndpoint | undefined,
    key: ObjectRef,
    reader: Reader,
  ): Promise<ObservedEndpoint | undefined> => {
    const id = formatRef(key);
    const readAgain = readAgainIn(before, reader);
    if (before === undefined || readAgain.size === 0) {
      awaitedSince.delete(id);
      return before;
    }
    awaited.set(id, readAgain);
    awaitedSince.set(id, awaitedSince.get(id) ?? before.monotonicMs);
    const after = await observe(key, reader, { isAtRest: false, readAgain });
    if (readAgainIn(after, reader).size > 0) return after;
    awaited.delete(id);
    awaitedSince.delete(id);
    return after;
  };
  return async (key: ObjectRef, reader: Reader): Promise<ObservedEndpoint | undefined> => {
    const id = formatRef(key);
    const version = versionBesideStatus(reader.cached(root).get(key));
    const wasAtRest = version !== undefined && resting.get(id) === version && !isBusy(reader);
    resting.delete(id);
    const first = await observe(key, reader, { isAtRest: wasAtRest, ...present({ readAgain: awaited.get(id) }) });
    awaited.delete(id);
    if (first === undefined || version === undefined) {
      awaitedSince.delete(id);
      return first;
    }
    const wasQuiet = isQuiet(first, reader);
    const alone = wasQuiet || !isShared(first) ? first : await observe(key, reader, { isAtRest: false });
    const observed = await withFreshHealth(alone, key, reader);
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
