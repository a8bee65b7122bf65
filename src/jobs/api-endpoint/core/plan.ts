// What the api-endpoint job does next. Each wanted balancer is a lane of its own; what could not be observed stops only what needs it.
//
//   not ours to act for                   see standing.ts; one that is not claimed gets finalizer and owner id, and nothing else before
//   balancers could not be listed         wait: nothing may be taken for absent
//   where things are is not written down  that first, once there is anything to write down or to make
//   the object has problems               say each; keep members up, and records true; make and take away nothing
//   the object is being deleted           removals alone (removal.ts), and at last the finalizer
//   else                                  each balancer (plan-balancer.ts), its floating IP, the endpoint, DNS, then removals; and which
//                                         tags of the user's there are (tags/record-tags.ts)

import type { WallMs } from "../../../core/clock-times.ts";
import type { Plan, Refusal, Wait } from "../../../core/plan.ts";
import { lateCreateWait } from "./balancer/late-creates.ts";
import { hintRefusals } from "./balancer/placement.ts";
import { planBalancer, planMembersOnly } from "./balancer/plan-balancer.ts";
import { unseenWait } from "./balancer/waits.ts";
import { planHeldSecret, planLastSteps, planRelease } from "./credentials/held-secret.ts";
import { planDns, planHeldDns } from "./dns/plan-dns.ts";
import { planEndpointAddress } from "./floating-ips/endpoint-address.ts";
import { planFloatingIp } from "./floating-ips/floating-ips.ts";
import { lateFloatingIpWait } from "./floating-ips/late-floating-ip.ts";
import { unplacedMachines } from "./members/unplaced-machines.ts";
import type { EndpointAction } from "./model/action.ts";
import { joinPlans, planOf } from "./model/endpoint-plan.ts";
import type { EndpointObserved } from "./model/observed.ts";
import { octaviaTooOld } from "./model/provider-features.ts";
import { probeWaits } from "./probes/probe-waits.ts";
import { onFreshHealth } from "./removal/fresh-health.ts";
import { neverLast } from "./removal/never-last.ts";
import { isEverythingGone, planRemovals, stillServing } from "./removal/removal.ts";
import { besideUnderWay } from "./situation/beside-under-way.ts";
import { balancersUnseen } from "./situation/cloud-away.ts";
import {
  goesWithCluster,
  machinesRemain,
  planClusterBond,
  planGoingWithCluster,
  waitsForMachines,
} from "./situation/cluster-bond.ts";
import { currentRoles } from "./situation/current-roles.ts";
import { unreadNamesakes } from "./situation/known-by-parts.ts";
import { recordLocationFirst } from "./situation/location.ts";
import { type Situation, situationOf } from "./situation/situation.ts";
import { foreignHolds, type HeldBack } from "./situation/standing.ts";
import { noticeRefusals } from "./status/notices.ts";
import { recordTags } from "./tags/record-tags.ts";

/** The machine itself is watched. */
const addressRecheckMs = 60_000;

export function planEndpoint(observed: EndpointObserved, nowMs: WallMs): Plan<EndpointAction> {
  const { standing, intent, object } = observed;
  switch (standing.is) {
    case "ours":
      return joinPlans([planHeldSecret(observed), planBound(observed, planOurs(observed, standing.ownerId, nowMs))]);
    case "paused":
    case "elsewhere":
      return planOf({ refusals: [refusalOf(standing)] });
    case "done":
      return planOf({ refusals: foreignHolds(observed) });
    case "without-cluster":
      return planOf({ waits: [unseenWait(standing)] });
    case "undecided":
      return object.hasFinalizer ? planOf({ waits: [unseenWait(standing)] }) : planClaim(observed);
    case "cleaned-up":
      return planRelease(observed);
    case "moved":
    case "copy":
      return intent.deleting ? planRelease(observed) : planOf({ refusals: [refusalOf(standing)] });
    case "unclaimed":
      return intent.deleting ? planRelease(observed) : planClaim(observed);
  }
}

/** With its Cluster: cluster-bond.ts. */
function planBound(observed: EndpointObserved, plan: Plan<EndpointAction>): Plan<EndpointAction> {
  if (observed.intent.deleting) return plan;
  const bound = joinPlans([planClusterBond(observed), plan]);
  if (!goesWithCluster(observed)) return bound;
  return planGoingWithCluster(observed) ?? joinPlans([bound, machinesRemain(observed)]);
}

function refusalOf({ reason, message }: HeldBack): Refusal {
  return { reason, message };
}

function planOurs(observed: EndpointObserved, ownerId: string, nowMs: WallMs): Plan<EndpointAction> {
  const { intent, balancers, capabilities } = observed;
  // Without tags they cannot be listed either.
  if (!balancers.known)
    return planOf({ waits: [unseenWait(balancersUnseen(balancers, observed))], refusals: octaviaTooOld(capabilities) });
  const situation = situationOf(observed, balancers.value, ownerId, nowMs);
  if (intent.deleting) return recordLocationFirst(besideUnderWay(planDeletion(situation), situation), situation);
  const { problems } = situation;
  const isHeld = problems.length > 0;
  const plan = isHeld ? planHeld(situation, problems) : planWanted(situation);
  const safe = recordLocationFirst(besideUnderWay(keepWaysIn(plan, situation), situation), situation);
  return isHeld ? safe : recordTags(safe, situation);
}

function keepWaysIn(plan: Plan<EndpointAction>, situation: Situation): Plan<EndpointAction> {
  return onFreshHealth(neverLast(plan, situation), situation);
}

/** The uid of the object that claims: unique, and kept in an annotation when the object moves to another cluster. */
function planClaim({ intent, object }: EndpointObserved): Plan<EndpointAction> {
  return planOf({
    actions: [
      ...(object.hasFinalizer ? [] : [{ kind: "add-finalizer", because: "FinalizerMissing" } as const]),
      ...(intent.ownerId === undefined
        ? [{ kind: "claim-owner-id", ownerId: object.uid, because: "OwnerUnclaimed" } as const]
        : []),
    ],
  });
}

function planWanted(situation: Situation): Plan<EndpointAction> {
  const { capabilities } = situation.observed;
  const { wanted: all } = situation.assignment;
  const removals = planRemovals(situation);
  return joinPlans([
    ...all.map((wanted) => planBalancer(wanted, situation)),
    ...all.map((wanted) => planFloatingIp(wanted, situation)),
    planEndpointAddress(situation),
    planDns(situation),
    removals,
    ...stillServing(removals, situation).map((wanted) => planMembersOnly(wanted, situation)),
    planOf({ waits: [...addressWaits(situation), ...probeWaits(situation)] }),
    planOf({ refusals: capabilities.known ? hintRefusals(situation, capabilities.value) : [] }),
    planOf({ refusals: noticeRefusals(situation) }),
  ]);
}

function addressWaits(situation: Situation): readonly Wait[] {
  return unplacedMachines(situation)
    .filter(({ reason }) => reason === "MachineWithoutAddress")
    .map((machine) => ({ ...machine, recheckAfterMs: addressRecheckMs }));
}

/**
 * Machines come and go whatever is wrong with the object, and zones die; a rollout must not lose the API over a typo. Each balancer
 * keeps the part that its tags give it now, not the one it would get.
 */
function planHeld(situation: Situation, refusals: readonly Refusal[]): Plan<EndpointAction> {
  return joinPlans([planOf({ refusals }), planKeeping(situation)]);
}

function planKeeping(situation: Situation): Plan<EndpointAction> {
  const members = currentRoles(situation).map((wanted) => planMembersOnly(wanted, situation));
  return joinPlans([...members, planHeldDns(situation)]);
}

/** As Cluster API and CAPO do: machines go first, and until then they need the API. */
function planDeletion(situation: Situation): Plan<EndpointAction> {
  const { observed } = situation;
  if (waitsForMachines(observed))
    return keepWaysIn(joinPlans([machinesRemain(observed), planKeeping(situation)]), situation);
  const removals = joinPlans([planRemovals(situation), planDns(situation)]);
  if (!isEverythingGone(situation) || removals.actions.length > 0) return removals;
  const late = [lateCreateWait(situation), lateFloatingIpWait(situation)].filter((wait) => wait !== undefined);
  const waits = [...late, ...unreadNamesakes(observed)];
  return joinPlans([removals, waits.length === 0 ? planLastSteps(observed) : planOf({ waits })]);
}
