// Parts of ours below a balancer that are in ERROR, or speak what nobody understands: they are taken away and made again.
//
//   listener or pool on the API port      as its balancer (repair.ts): people may come through it, and leave it first
//   listener or pool on another port      after everything else that is due
//   health monitor                        at once, it carries nothing; but with a pause after each time
//
// A member in ERROR: members/members.ts.

import type { Refusal, Wait } from "../../../../core/plan.ts";
import type { EndpointAction } from "../model/action.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { partWait } from "../removal/leaving.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { type BrokenPart, brokenMonitors, brokenParts, isOnApiPort } from "../situation/broken-parts.ts";
import type { Situation } from "../situation/situation.ts";
import { obstacleBelow } from "./made-again.ts";
import { restAfterChangeMs } from "./pauses.ts";
import { agreedRepair } from "./repair-consent.ts";
import { goesByConsent, isDependedOn, whyKept } from "./why-kept.ts";

/** Of one balancer. What is done about the API port comes before everything else; a side port waits until the others have what they need. */
export interface PartRepair {
  readonly first?: EndpointAction;
  readonly last?: EndpointAction;
  readonly refusals: readonly Refusal[];
  readonly waits: readonly Wait[];
}

/** What is in ERROR cannot be changed, nor anything below it, nor what a pool speaks. */
export function repairParts(wanted: WantedBalancer, seen: BalancerObserved, situation: Situation): PartRepair {
  const { lane } = wanted;
  const broken = brokenParts(seen, situation);
  const monitors = brokenMonitors(seen, situation);
  const refused = (parts: readonly BrokenPart[], why: string) =>
    parts.map(
      ({ action, state }): Refusal => ({
        reason: "LoadBalancerInError",
        message: `${action.removes}: ${state}, and it is not made again because ${why}`,
        lane,
      }),
    );
  if (wanted.role === "fallback") {
    const stays = "the legacy balancer only stays until its removal is agreed";
    return { refusals: refused([...broken, ...monitors], stays), waits: [] };
  }
  const isOnApi = (part: BrokenPart) => isOnApiPort(part, seen, situation);
  const inTheWay = broken.filter(isOnApi);
  const held = inTheWay.length === 0 ? undefined : whyNotNow(wanted, seen, situation);
  const [next] = held === undefined ? inTheWay : [];
  const leaving = next === undefined ? undefined : partWait({ ...wanted, seen }, next, situation);
  const pause = monitors.length === 0 ? undefined : monitorPause(wanted, seen, situation);
  const due = [
    ...(next === undefined || leaving !== undefined ? [] : [next]),
    ...(pause === undefined ? monitors : []),
  ];
  const first = due.find(isOnApi);
  const last = [...broken, ...due].find((part) => !isOnApi(part));
  const agreed = next !== undefined && goesByConsent(wanted, seen, situation) ? [next] : [];
  return {
    ...(first === undefined ? {} : { first: { ...first.action, lane } }),
    ...(last === undefined ? {} : { last: { ...last.action, lane } }),
    refusals:
      held === undefined
        ? agreed.map(({ action, state }) => agreedRepair(`${action.removes}: ${state}`, "made again", lane, situation))
        : refused(inTheWay, held),
    waits: [
      ...(leaving === undefined ? [] : [leaving]),
      ...(pause === undefined ? [] : [{ ...pause, message: monitors.map(partWords).join(", ") }]),
    ],
  };
}

/** In words. What cannot be seen is waited for in plan-balancer.ts. */
function whyNotNow(wanted: WantedBalancer, seen: BalancerObserved, situation: Situation): string | undefined {
  const held = whyKept(wanted, seen, situation);
  if (held !== undefined || !isDependedOn(seen, situation)) return held;
  const obstacle = obstacleBelow(wanted, seen, situation);
  if (obstacle === undefined) return undefined;
  return "unseen" in obstacle ? obstacle.unseen.message : obstacle.why;
}

/** Octavia could not set it up a moment ago: it is not asked again in a frenzy. */
function monitorPause(
  { lane }: WantedBalancer,
  { balancer }: BalancerObserved,
  situation: Situation,
): Wait | undefined {
  const leftMs = restAfterChangeMs(balancer, situation);
  return leftMs <= 0 ? undefined : { reason: "LoadBalancerInError", recheckAfterMs: leftMs, lane };
}

function partWords({ action, state }: BrokenPart): string {
  return `${action.removes}: ${state}; nobody knows who answers, and it is made again in a while`;
}
