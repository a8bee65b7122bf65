// Times that status holds were written by whoever led then, perhaps with a clock that was ahead of ours. Whatever counts from such a time
// reads it through here, so that nothing lasts longer than it would if it had begun now.
//
//   when a zone became bad (dns-records.ts), when a balancer left the records (leaving.ts)       not later than now
//   until when a balancer may still come (late-creates.ts)                                       not later than if it were asked for now
//   since when balancers are not ready (pauses.ts)                                               has a rule of its own: the longest pause

/** Undefined stays so. */
export function notAhead(recordedMs: number, latestMs: number): number;
export function notAhead(recordedMs: number | undefined, latestMs: number): number | undefined;
export function notAhead(recordedMs: number | undefined, latestMs: number): number | undefined {
  return recordedMs === undefined ? recordedMs : Math.min(recordedMs, latestMs);
}
