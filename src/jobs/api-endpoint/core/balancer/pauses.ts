// How long a balancer in ERROR rests before the next try. The engine slows down every step that does not help (repeated-steps.ts), and
// forgets at a restart; this is told by times that outlive it (`Action.restMs`). A try waits half as long as the trouble had lasted at the try before, so that
// pauses grow by half each time, up to five minutes. Ages are counted on the cloud's clock, since ours may be hours off.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { EndpointAction } from "../model/action.ts";
import { ageMs, timeOfOctavia } from "../model/time-of-octavia.ts";
import type { Situation } from "../situation/situation.ts";

/** What fails as it is made is not made again at once, whatever status says of how long it has lasted. */
const pauseBetweenRebuildsMs = 30_000;
const longestPauseMs = 300_000;
/** Trouble that has lasted for less than this was not met before. Clocks that differ by less agree. */
const passingMs = 60_000;

interface Rest {
  /** Not positive: it may be tried now. */
  readonly restMs: number;
  /** Not for the first time. */
  readonly isRepeated: boolean;
}

/** Of one that ended in ERROR as it was made. */
export function restBeforeRebuild({ createdAt }: LoadBalancer, situation: Situation): Rest {
  const madeMs = timeOfOctavia(createdAt);
  if (madeMs === undefined || isAhead(madeMs, situation)) return { restMs: 0, isRepeated: false };
  const sinceMs = situation.observed.object.notReadySinceMs ?? madeMs;
  const lastedMs = madeMs - sinceMs;
  // Our clock was ahead as it wrote down since when: nobody knows how long it has lasted.
  const isUnknown = isAhead(sinceMs, situation);
  const pauseMs = isUnknown ? longestPauseMs : bounded(lastedMs / 2, pauseBetweenRebuildsMs);
  return { restMs: pauseMs - ageMs(createdAt, situation.cloudNowMs), isRepeated: lastedMs > passingMs };
}

/** Of one that could not be deleted, and is in ERROR since its last try. */
export function restBeforeDeletionMs({ updatedAt, createdAt }: LoadBalancer, situation: Situation): number {
  const { deletingSinceMs } = situation.observed.object;
  const triedMs = timeOfOctavia(updatedAt ?? createdAt);
  if (triedMs === undefined || deletingSinceMs === undefined || isAhead(triedMs, situation)) return 0;
  const lastedMs = triedMs - deletingSinceMs;
  return lastedMs < passingMs ? 0 : bounded(lastedMs / 2, 0) - ageMs(updatedAt ?? createdAt, situation.cloudNowMs);
}

/** Of a part that was in ERROR after the last change of its balancer: what the change did shows a while later. Not positive: it may be tried now. */
export function restAfterChangeMs({ updatedAt, createdAt }: LoadBalancer, situation: Situation): number {
  const changedMs = timeOfOctavia(updatedAt ?? createdAt);
  if (changedMs === undefined || isAhead(changedMs, situation)) return 0;
  return pauseBetweenRebuildsMs - ageMs(updatedAt ?? createdAt, situation.cloudNowMs);
}

/** The engine holds it for so long, unless it knows better or somebody changes the object. */
export function resting(action: EndpointAction, restMs: number): EndpointAction {
  return restMs > 0 ? { ...action, restMs } : action;
}

/** Of a stamp of the cloud's: it does not tell its time, and our clock is behind; then the engine alone slows things down. */
function isAhead(stampMs: number, { cloudNowMs }: Situation): boolean {
  return stampMs - cloudNowMs > passingMs;
}

function bounded(ms: number, leastMs: number): number {
  return Math.min(longestPauseMs, Math.max(leastMs, ms));
}
