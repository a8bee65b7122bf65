// Times and durations in words. Pure: the current time is an argument.

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `4 s`, `3 min`, `2 h`, `5 d`: coarse on purpose, so that a list does not change all the time. */
export function span(ms: number): string {
  const length = Math.max(0, ms);
  if (length < minuteMs) return `${Math.floor(length / secondMs)} s`;
  if (length < hourMs) return `${Math.floor(length / minuteMs)} min`;
  if (length < dayMs) return `${Math.floor(length / hourMs)} h`;
  return `${Math.floor(length / dayMs)} d`;
}

/** `just now`, `4 min ago`. A time ahead of ours is a clock that differs, not the future. */
export function ago(thenMs: number, nowMs: number): string {
  const ms = nowMs - thenMs;
  return ms < 2 * secondMs ? "just now" : `${span(ms)} ago`;
}

/** The wall clock of the reader, to the second: `14:03:09`. */
export function timeOfDay(ms: number): string {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Undefined for text that is not a time. */
export function parseTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
