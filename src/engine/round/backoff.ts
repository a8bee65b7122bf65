// How long to wait after the n-th failure in a row: doubling, bounded, and with jitter so that many waiters do not retry together.

import type { Random } from "../../ports/random.ts";

export interface BackoffRange {
  readonly baseMs: number;
  readonly maxMs: number;
}

/** Between half of the full step and all of it. The first failure is number 1. */
export function backoffMs(range: BackoffRange, failures: number, random: Random): number {
  const doublings = Math.min(Math.max(0, failures - 1), 40);
  const fullMs = Math.min(range.maxMs, range.baseMs * 2 ** doublings);
  return fullMs / 2 + random.next() * (fullMs / 2);
}
