// Octavia writes times in UTC and does not say so.

/** Undefined when the text is not a time. */
export function timeOfOctavia(time: string | undefined): number | undefined {
  if (time === undefined) return undefined;
  const parsed = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(time) ? time : `${time}Z`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** How long ago, on the cloud's clock; zero when the text is not a time. */
export function ageMs(time: string | undefined, cloudNowMs: number): number {
  return Math.max(0, cloudNowMs - (timeOfOctavia(time) ?? cloudNowMs));
}
