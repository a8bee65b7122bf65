// Durations as kubectl takes them: 90s, 5m, 1h30m.

const unitMs = { h: 3_600_000, m: 60_000, s: 1_000 } as const;

/** Undefined when it is none. */
export function parseDurationMs(text: string): number | undefined {
  const [, hours, minutes, seconds] = /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s)?$/.exec(text) ?? [];
  if (hours === undefined && minutes === undefined && seconds === undefined) return undefined;
  return Number(hours ?? 0) * unitMs.h + Number(minutes ?? 0) * unitMs.m + Number(seconds ?? 0) * unitMs.s;
}
