// How long what was done and did not help waits before it is done again: a change (repeated-steps.ts), or a status (overwritten-status.ts).

import type { Random } from "../../ports/random.ts";

/** Done so often, it has only raced. */
export const eagerTimes = 3;
export const firstWaitMs = 10_000;
export const longestWaitMs = 300_000;
/** What helped for less than this was undone. */
export const helpedAfterMs = 60_000;

/** Doubling, with jitter that only lengthens it. */
export function repeatWaitMs(times: number, random: Random): number {
  if (times < eagerTimes) return 0;
  const fullMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(times - eagerTimes, 20));
  return fullMs * (1 + 0.2 * random.next());
}
