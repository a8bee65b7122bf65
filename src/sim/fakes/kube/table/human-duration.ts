// Ages as kubectl shows them: two units at most, the coarser the older.

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return twoUnits(seconds, minute, "m", 1, "s");
  if (seconds < 3 * hour) return `${Math.floor(seconds / minute)}m`;
  if (seconds < 8 * hour) return twoUnits(seconds, hour, "h", minute, "m");
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)}h`;
  if (seconds < 8 * day) return twoUnits(seconds, day, "d", hour, "h");
  if (seconds < 2 * year) return `${Math.floor(seconds / day)}d`;
  if (seconds < 8 * year) return twoUnits(seconds, year, "y", day, "d");
  return `${Math.floor(seconds / year)}y`;
}

function twoUnits(seconds: number, big: number, bigName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % big) / small);
  const whole = `${Math.floor(seconds / big)}${bigName}`;
  return rest === 0 ? whole : `${whole}${rest}${smallName}`;
}

/** Age of a timestamp; what is no timestamp is unknown. */
export function ageOf(timestamp: unknown, nowMs: number): string {
  const at = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(at) ? "<unknown>" : humanDuration(nowMs - at);
}
