// Whether a wanted balancer is away: nobody comes through it until it is made, or made again, or its machines are back. As long as one is, no
// other that may let people in is taken down (why-kept.ts). Told by what stands in the cloud; status only tells a balancer that is gone
// from one that never was.
//
//   it is                                                          away
//   not there, and status knew it                                  yes
//   not there, and nothing says whether it ever was                perhaps: its zone is new, or the status was lost
//   PENDING, or about to be by a repair that is under way          yes: it is made, deleted, or failed over
//   ACTIVE, and what is below it cannot be read                    yes
//   ACTIVE, without listener, pool or monitor on the API port      yes
//   in ERROR, or one of these is                                   where nobody stands behind it; else it may serve
//   whole, and somebody answers, or may, or nobody is to be there  no
//   whole, and nobody answers                                      new, if it was made minutes ago, after the other one; else dead

import { laneKey } from "../../../../core/plan.ts";
import { desiredMembers } from "../members/desired-members.ts";
import type { EndpointAction } from "../model/action.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { supports } from "../model/provider-features.ts";
import { ageMs, timeOfOctavia } from "../model/time-of-octavia.ts";
import { isInError } from "../ports/port-context.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { downBecause } from "../situation/balancer-health.ts";
import { healthBehind, membersBehind, portOf } from "../situation/health.ts";
import { mayLetIn } from "../situation/in-use.ts";
import { recordedOf } from "../situation/places.ts";
import type { Situation } from "../situation/situation.ts";

/** `dead`: its machines may be the reason, so that somebody has to say whether others wait for it. `new`: so may its making. */
export type Away = "no" | "perhaps" | "dead" | "new" | "yes";

/** So long members may need until they answer behind a balancer that was made. On the cloud's clock. */
const newMs = 600_000;

/** `broken`: the other one, which waits for it. */
export function awayness(wanted: WantedBalancer, broken: BalancerObserved, situation: Situation): Away {
  const { seen, zone } = wanted;
  if (isTakenDownNow(wanted, situation)) return "yes";
  if (seen === undefined) {
    const before = recordedOf(situation.observed, zone);
    return before?.id || before?.internalAddress ? "yes" : "perhaps";
  }
  const { provisioningStatus } = seen.balancer;
  if (provisioningStatus === "ERROR") return mayLetIn(seen) ? "no" : "yes";
  if (provisioningStatus !== "ACTIVE" || !isWhole(seen, situation)) return "yes";
  if (membersBehind(seen, situation.intent.apiPort).length === 0)
    return isSomebodyDue({ ...wanted, seen }, situation) ? "yes" : "no";
  if (!isDead(seen, situation)) return "no";
  return isNew(seen, broken, situation) ? "new" : "dead";
}

/** It interrupts what people may come through, to have it whole afterwards. */
export function isTearDown({ because, kind }: EndpointAction): boolean {
  return because === "LoadBalancerInError" || (kind === "delete-pool" && because === "PoolDrifted");
}

function isTakenDownNow({ lane }: WantedBalancer, { observed }: Situation): boolean {
  return (observed.underWay ?? []).some(
    (action) => isTearDown(action) && action.kind !== "delete-monitor" && laneKey(action.lane) === laneKey(lane),
  );
}

/** Everything is there through which people reach a member of the API port. */
function isWhole(seen: BalancerObserved, { intent, observed }: Situation): boolean {
  const { listener, pool } = portOf(seen, intent.apiPort);
  if (listener === undefined || pool === undefined) return false;
  if (isInError(listener) || isInError(pool)) return pool.members.length > 0;
  const { capabilities } = observed;
  const isWatchable = !capabilities.known || supports(capabilities.value, seen.balancer.provider, "health-monitor");
  return !isWatchable || (pool.healthMonitor !== undefined && !isInError(pool.healthMonitor));
}

function isDead(seen: BalancerObserved, { observed, intent }: Situation): boolean {
  const isBad = healthBehind(seen, intent.apiPort, observed) === "bad";
  return isBad || downBecause(seen, observed) !== undefined || !seen.balancer.adminStateUp;
}

function isNew({ balancer }: BalancerObserved, broken: BalancerObserved, { cloudNowMs }: Situation): boolean {
  const [madeMs = 0, brokenMs = 0] = [balancer, broken.balancer].map(({ createdAt }) => timeOfOctavia(createdAt));
  return madeMs > brokenMs && ageMs(balancer.createdAt, cloudNowMs) < newMs;
}

/** Where nobody knows where machines are, those that there are count. */
function isSomebodyDue(wanted: WantedBalancer & { readonly seen: BalancerObserved }, situation: Situation): boolean {
  const { observed, intent } = situation;
  if (!observed.places.known) return observed.machines.some(({ deleting }) => !deleting);
  return desiredMembers(wanted, wanted.seen.balancer, intent.apiPort, situation).length > 0;
}
