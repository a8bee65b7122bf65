// How long a lease lasts and how often it is renewed, and the rules that make those numbers safe together.

export interface LeaseTimings {
  /** After this long without a renewal another may lead. */
  readonly durationMs: number;
  /** A leader that could not renew for this long steps down by itself. */
  readonly renewDeadlineMs: number;
  /** Between two tries. */
  readonly retryMs: number;
}

export const defaultLeaseTimings: LeaseTimings = { durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

/** Delays are stretched by up to this factor, so that candidates do not all try at once. */
export const retryJitter = 1.2;

/** A holder counts only this part of the duration as its own: two machines' clocks may run at different rates. */
const ownedShare = 0.9;

export function ownedMs({ durationMs }: LeaseTimings): number {
  return durationMs * ownedShare;
}

/** All problems, in words; none for timings that hold together. */
export function leaseTimingProblems({ durationMs, renewDeadlineMs, retryMs }: LeaseTimings): readonly string[] {
  const problems: string[] = [];
  if (durationMs < 1_000 || durationMs % 1_000 !== 0) {
    problems.push(`lease duration of ${durationMs} ms must be whole seconds, at least one`);
  }
  if (retryMs <= 0) problems.push(`retry period of ${retryMs} ms must be above zero`);
  if (renewDeadlineMs >= durationMs) {
    problems.push(
      `renew deadline of ${renewDeadlineMs} ms must be shorter than the lease duration of ${durationMs} ms`,
    );
  }
  if (renewDeadlineMs <= retryMs * retryJitter) {
    problems.push(
      `renew deadline of ${renewDeadlineMs} ms must be longer than ${retryJitter} times the retry period of ${retryMs} ms`,
    );
  }
  return problems;
}
