// One probe that fails may have been lost on its way: the second one is not waited for until the next look.

import type { Wait } from "../../../../core/plan.ts";
import { existingBalancers } from "../situation/assignment.ts";
import { isProbeBad } from "../situation/balancer-health.ts";
import type { Situation } from "../situation/situation.ts";

/** After this the second probe has been asked, and mostly answered or not. */
export const probeAgainMs = 5_000;

export function probeWaits(situation: Situation): readonly Wait[] {
  return existingBalancers(situation.assignment).flatMap(({ seen, lane }) => {
    const failures = situation.observed.probes?.get(seen.balancer.id)?.failuresInARow ?? 0;
    if (failures === 0 || isProbeBad(failures)) return [];
    const message = `${seen.balancer.name}: a probe of its address failed; the next one decides`;
    return [{ reason: "ZoneLeavingDns", recheckAfterMs: probeAgainMs, message, lane }];
  });
}
