// A busy cloud carries on with a create that nobody waits for any more, and shows nothing of it until it is done. Status says
// where a balancer goes before it is asked for: an object that is deleted while one has a place and no id is held until nothing can arrive.
// One that nobody wants any more leaves status, and only how long it may still come is remembered.

import type { WallMs } from "../../../../core/clock-times.ts";
import type { Wait } from "../../../../core/plan.ts";
import type { RecordedBalancer } from "../model/observed.ts";
import { notAhead } from "../model/recorded-time.ts";
import type { Situation } from "../situation/situation.ts";

/** So long after we gave up on a create the cloud may still carry it out. */
export const lateCreateMs = 30_000;

/** So long after its deletion a manager that has not seen it may still ask: a round, and a request that takes all of its time. */
const lastAskedMs = 60_000;

/** It may have been asked for, and nobody has seen it. */
export function isUnanswered({ id, networkId }: RecordedBalancer): boolean {
  return !id && networkId !== undefined;
}

/** For an object that is being deleted and that nothing in the cloud is left of: undefined when nothing can come after. */
export function lateCreateWait(situation: Situation): Wait | undefined {
  const { nowMs, observed } = situation;
  const { recorded } = observed;
  const entries = [...(recorded.single === undefined ? [] : [recorded.single]), ...recorded.zones];
  const mayCome = isForgotten(situation) || entries.some(isUnanswered);
  const deletion = mayCome ? lastArrivalAfterDeletion(situation) : undefined;
  const recordedMs = notAhead(recorded.unansweredUntilMs, lastArrivalMs(nowMs));
  const ends = [
    ...(deletion === undefined ? [] : [deletion]),
    ...(recordedMs === undefined ? [] : [{ untilMs: recordedMs, leftMs: recordedMs - nowMs }]),
  ];
  const last = ends.toSorted((a, b) => b.leftMs - a.leftMs)[0];
  if (last === undefined || last.leftMs <= 0) return undefined;
  const message = `a load balancer that was asked for and not seen may still appear: the finalizer stays until ${new Date(last.untilMs).toISOString()}`;
  return { reason: "LoadBalancerUnanswered", message, recheckAfterMs: last.leftMs };
}

interface LastArrival {
  /** For people: the same in every round, whatever becomes of clocks. */
  readonly untilMs: WallMs;
  readonly leftMs: number;
}

/** Undefined while the object is not being deleted. */
export function lastArrivalAfterDeletion({ observed, nowMs }: Situation): LastArrival | undefined {
  const { deletingSinceMs } = observed.object;
  if (deletingSinceMs === undefined) return undefined;
  const { deletingForMs } = observed;
  if (deletingForMs !== undefined)
    return { untilMs: lastArrivalMs(deletingSinceMs), leftMs: lastArrivalMs(0) - deletingForMs };
  const untilMs = lastArrivalMs(notAhead(deletingSinceMs, nowMs));
  return { untilMs, leftMs: untilMs - nowMs };
}

/** Annotations move with an object, status does not: until it is written again, nobody knows what was asked for under its first uid. */
function isForgotten({ observed, intent, ownerId }: Situation): boolean {
  return intent.location !== undefined && observed.recorded.location === undefined && ownerId !== observed.object.uid;
}

/** Whoever has not seen that it is unwanted, or that the object is deleted, may still ask for a while. */
export function lastArrivalMs(sinceMs: number): number {
  return sinceMs + lastAskedMs + lateCreateMs;
}

/** How long one may still come that is not in status any more: `shown` are the zones that still are. */
export function unansweredUntilMs(situation: Situation, shown: readonly (string | undefined)[]): number | undefined {
  const { observed, intent, nowMs } = situation;
  const { zones, single, unansweredUntilMs: before = Number.NEGATIVE_INFINITY } = observed.recorded;
  // With zones the single entry only repeats the first.
  const former = zones.length > 0 ? zones : single === undefined ? [] : [{ ...single, zone: undefined }];
  const left = intent.deleting ? [] : former.filter((entry) => isUnanswered(entry) && !shown.includes(entry.zone));
  const isLost = intent.deleting && isForgotten(situation);
  const untilMs = left.length > 0 || isLost ? lastArrivalMs(nowMs) : notAhead(before, lastArrivalMs(nowMs));
  return untilMs > nowMs ? untilMs : undefined;
}
