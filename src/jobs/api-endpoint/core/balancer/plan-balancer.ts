// One wanted balancer, one lane, at most one change to Octavia a round.
//
//   seen                      next
//   nothing                   record where it goes, then create it; wait while one of its name may turn out to be it
//   PENDING_*                 wait; a change now would be refused
//   ERROR                     repair.ts, at once; Octavia takes no update of it, so that cleared tags stay cleared until it is whole
//   its parts not readable    wait
//   ACTIVE                    name and tags, then a part in ERROR on the API port, then plan-ports.ts, then such a part on a side port;
//                             what failed yields to the rest (take-turn.ts)

import { invariant } from "../../../../core/errors.ts";
import type { Plan } from "../../../../core/plan.ts";
import { emptyPlan } from "../../../../core/plan.ts";
import { desireBalancer } from "../desired.ts";
import { difference, isEmpty } from "../difference.ts";
import type { EndpointAction } from "../model/action.ts";
import { joinPlans, planOf } from "../model/endpoint-plan.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { dueOnMembers, dueOnPorts } from "../ports/plan-ports.ts";
import type { BalancerContext } from "../ports/port-context.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { childrenOn, isPending } from "../situation/children.ts";
import { notAnswered } from "../situation/cloud-away.ts";
import { unreadNamesakes } from "../situation/known-by-parts.ts";
import { movedSubnet, placeOf, recordedOf } from "../situation/places.ts";
import { type Situation } from "../situation/situation.ts";
import { planRepair } from "./repair.ts";
import { type PartRepair, repairParts } from "./repair-parts.ts";
import { takeTurn } from "./take-turn.ts";
import { pendingChildrenWait, pendingWait, unseenWait } from "./waits.ts";

export function planBalancer(wanted: WantedBalancer, situation: Situation): Plan<EndpointAction> {
  const { seen, lane } = wanted;
  if (seen === undefined) return planCreation(wanted, situation);
  const { provisioningStatus } = seen.balancer;
  if (provisioningStatus.startsWith("PENDING_"))
    return planOf({ waits: [pendingWait(seen, lane, situation.cloudNowMs)] });
  if (provisioningStatus === "ERROR") return planRepair(wanted, seen, situation);
  if (!seen.tree.known) return planOf({ waits: [unseenWait(notAnswered(seen.tree, "Octavia"), lane)] });
  const moved =
    wanted.zone === undefined ? undefined : movedSubnet(situation.observed, wanted.zone, seen.balancer.vipSubnetId);
  const notice = planOf({ refusals: moved === undefined ? [] : [{ ...moved, lane }] });
  return joinPlans([planActive(wanted, seen, situation), notice]);
}

function planActive(wanted: WantedBalancer, seen: BalancerObserved, situation: Situation): Plan<EndpointAction> {
  const { capabilities, places } = situation.observed;
  const { lane } = wanted;
  const repair = repairParts(wanted, seen, situation);
  const context: BalancerContext = {
    wanted,
    seen,
    situation,
    desired: desireBalancer(wanted, situation),
  };
  const step = takeTurn(dueOn(context, repair), situation);
  const pending = childrenOn(seen, situation.ports).filter(isPending);
  const waits = [
    ...repair.waits,
    ...(pending.length === 0 ? [] : [pendingChildrenWait(seen.balancer, pending, lane, situation.cloudNowMs)]),
    ...(capabilities.known ? [] : [unseenWait(notAnswered(capabilities, "Octavia"), lane)]),
    ...(places.known ? [] : [unseenWait(notAnswered(places, "Neutron"), lane)]),
  ];
  return planOf({ actions: step === undefined ? [] : [step], waits, refusals: repair.refusals });
}

function* dueOn(context: BalancerContext, { first, last }: PartRepair): Iterable<EndpointAction> {
  const renaming = correctBalancer(context);
  if (renaming !== undefined) yield renaming;
  if (first !== undefined) yield first;
  // The fall-back is on its way out: its members are kept up, its ports stay as they are.
  yield* context.wanted.role === "fallback" ? dueOnMembers(context) : dueOnPorts(context);
  // A side port that breaks each time it is made must not keep machines from the API port.
  if (last !== undefined) yield last;
}

/** Members alone: see planHeld in plan.ts. */
export function planMembersOnly(wanted: WantedBalancer, situation: Situation): Plan<EndpointAction> {
  const { capabilities, places } = situation.observed;
  const { seen } = wanted;
  if (seen?.balancer.provisioningStatus !== "ACTIVE" || !seen.tree.known || !capabilities.known || !places.known)
    return emptyPlan;
  const context = { wanted, seen, situation, desired: desireBalancer(wanted, situation) };
  const step = takeTurn(dueOnMembers(context), situation);
  return planOf({ actions: step === undefined ? [] : [step] });
}

function planCreation(wanted: WantedBalancer, situation: Situation): Plan<EndpointAction> {
  const { observed } = situation;
  const { lane } = wanted;
  const unread = unreadNamesakes(observed, wanted);
  if (unread.length > 0) return planOf({ waits: unread });
  const placed = placeOf(observed, wanted.zone);
  if ("unseen" in placed) return planOf({ waits: [unseenWait(placed.unseen, lane)] });
  if ("refusal" in placed) return planOf({ refusals: [{ ...placed.refusal, lane }] });
  if (!observed.capabilities.known)
    return planOf({ waits: [unseenWait(notAnswered(observed.capabilities, "Octavia"), lane)] });
  // One that status still calls there would not be missed if the object went before an answer came: see late-creates.ts.
  if (!placed.place.recorded || recordedOf(observed, wanted.zone)?.id) {
    const message = `${wanted.name}: where it goes is written to status first`;
    return planOf({ waits: [{ reason: "PlaceUnrecorded", recheckAfterMs: 200, awaitsStatus: true, message, lane }] });
  }
  return planOf({ actions: [createBalancer(wanted, situation)] });
}

function createBalancer(wanted: WantedBalancer, situation: Situation): EndpointAction {
  const { balancer, placement } = desireBalancer(wanted, situation);
  invariant(placement !== undefined, `${wanted.name} is made although nothing says where`);
  const { vipAddress: address } = placement;
  return {
    kind: "create-load-balancer",
    name: wanted.name,
    wanted: { ...balancer, ...placement },
    ...(address === undefined ? {} : { address }),
    lane: wanted.lane,
    because: "LoadBalancerMissing",
  };
}

/** Renaming the balancer is the first step of every move between zones and single, and the tag makes the choice last. */
function correctBalancer({ wanted, seen, desired, situation }: BalancerContext): EndpointAction | undefined {
  const change = difference(desired.balancer, seen.balancer, situation.userTags.former);
  if (isEmpty(change)) return undefined;
  const { lane, name, because } = wanted;
  return { kind: "update-load-balancer", name, id: seen.balancer.id, change, lane, because };
}
