// All delays and deadlines of an informer, and where their values come from.

import type { BackoffRange } from "../round/backoff.ts";

export interface InformerTimings {
  /** Bookmarks come about every 60 s: a stream silent for longer is taken for dead. */
  readonly watchSilenceMs: number;
  /** A streaming list that pauses this long is given up; the paged list takes over. */
  readonly listSilenceMs: number;
  /** So is one that has not ended after this. */
  readonly listDeadlineMs: number;
  /** For one page, and for the first bytes of a watch. */
  readonly callDeadlineMs: number;
  /** A watch that lasted this long, or delivered anything, resets the count of failures. */
  readonly healthyAfterMs: number;
  /** After a stream broke or the server failed. The first step is short: most breaks are over at once. */
  readonly backoff: BackoffRange;
  /** For a kind that is not served or not allowed. */
  readonly missingBackoff: BackoffRange;
  /** Upper bound for a Retry-After: a server cannot stop an informer for good. */
  readonly maxRetryAfterMs: number;
  /** The server ends a watch after this, up to twice as long, so that load spreads over its replicas. */
  readonly watchLifetimeMs: number;
  /** A reconnect after this long lists in full, which repairs differences that no resource version shows. */
  readonly relistAfterMs: number;
  /** Between two full lists after contradictions: a server that contradicts even a new list does not order its versions. */
  readonly invalidatePauseMs: number;
}

export const defaultInformerTimings: InformerTimings = {
  watchSilenceMs: 75_000,
  listSilenceMs: 20_000,
  listDeadlineMs: 180_000,
  callDeadlineMs: 30_000,
  healthyAfterMs: 2_000,
  backoff: { baseMs: 100, maxMs: 30_000 },
  missingBackoff: { baseMs: 1_000, maxMs: 30_000 },
  maxRetryAfterMs: 600_000,
  watchLifetimeMs: 300_000,
  relistAfterMs: 3_600_000,
  invalidatePauseMs: 10_000,
};
