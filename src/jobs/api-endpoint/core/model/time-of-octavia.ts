// Octavia writes times in UTC and does not say so.

/** How long ago; zero when the text is not a time. */
export function ageMs(time: string | undefined, nowMs: number): number {
  if (time === undefined) return 0;
  const parsed = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(time) ? time : `${time}Z`);
  return Number.isNaN(parsed) ? 0 : Math.max(0, nowMs - parsed);
}
