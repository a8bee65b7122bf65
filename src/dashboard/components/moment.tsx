// A point in time as an age, with the exact time as a tooltip.

import { useAge } from "../live/server-clock.ts";
import { parseTime } from "../words/time.ts";

export function Moment({ time }: { readonly time: string | undefined }) {
  const atMs = parseTime(time);
  if (atMs === undefined) return <span className="soft">at an unknown time</span>;
  return <Age atMs={atMs} />;
}

function Age({ atMs }: { readonly atMs: number }) {
  const at = new Date(atMs);
  return (
    <time dateTime={at.toISOString()} title={at.toLocaleString()}>
      {useAge(atMs)}
    </time>
  );
}
