// Whether the page shows the present, for components. A cut that heals at once is nobody's business.

import { type Staleness, stalenessOf } from "../words/staleness.ts";
import { useLive } from "./live-context.tsx";
import { useReached } from "./server-clock.ts";

const patienceMs = 2_500;

/** Undefined while the present is shown. */
export function useStaleness(): Staleness | undefined {
  const { link, known, clockAheadMs } = useLive();
  const stale = stalenessOf({ link, manager: known?.manager, clockAheadMs });
  const late = useReached(stale?.sinceMs === undefined ? undefined : stale.sinceMs + patienceMs);
  return stale?.sinceMs === undefined || late ? stale : undefined;
}
