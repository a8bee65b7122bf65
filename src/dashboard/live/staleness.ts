// Whether the page is up to date, for components. A short interruption is not shown.

import { type Staleness, stalenessOf } from "../words/staleness.ts";
import { useLive } from "./live-context.tsx";
import { useReached } from "./server-clock.ts";

const patienceMs = 2_500;

/** Undefined while the page is up to date. */
export function useStaleness(): Staleness | undefined {
  const { link, known, clockAheadMs } = useLive();
  const stale = stalenessOf({ link, manager: known?.manager, clockAheadMs });
  const late = useReached(stale?.sinceMs === undefined ? undefined : stale.sinceMs + patienceMs);
  return stale?.sinceMs === undefined || late ? stale : undefined;
}
