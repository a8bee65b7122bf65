// What the api-endpoint job does next. Each wanted balancer is a lane of its own; what could not be seen stops only what needs it.
//
//   paused                                nothing
//   its Cluster is not there              wait: nothing is made that nobody asked for
//   its owner id is another object's      say so; it is a copy, and nothing in the cloud is its own
//   no finalizer, no owner id             these first, and nothing else: what is made must be found again and taken away
//   balancers could not be listed         wait: nothing may be taken for absent
//   the object has problems               say each; keep members up; make and take away nothing
//   else                                  each balancer (plan-balancer.ts), its floating IP, the endpoint, DNS, then removals
//   the object is being deleted           removals alone, and at last the finalizer; then whose finalizer still holds it

import { isDnsName } from "../../apis/dns-name.ts";
import { formatProblem } from "../../apis/problem.ts";
import type { Unknown } from "../known.ts";
import type { Plan, Refusal } from "../plan.ts";
import { emptyPlan } from "../plan.ts";
import type { EndpointAction } from "./action.ts";
import type { Seat } from "./claims.ts";
import { hintRefusals } from "./create-balancer.ts";
import { planEndpointAddress } from "./endpoint-address.ts";
import { planFloatingIp } from "./floating-ips.ts";
import { heldRefusals } from "./held-object.ts";
import type { EndpointIntent } from "./intent.ts";
import { lateCreateWait } from "./late-creates.ts";
import { neverLast } from "./never-last.ts";
import { noticeRefusals } from "./notices.ts";
import type { BalancerObserved, EndpointObserved } from "./observed.ts";
import { zoneTagOf } from "./ownership.ts";
import { planBalancer, planMembersOnly, unseenWait } from "./plan-balancer.ts";
import { planDns } from "./plan-dns.ts";
import { isEverythingGone, planRemovals } from "./removal.ts";
import { joinPlans, planOf, type Situation, situationOf } from "./situation.ts";

const machinesRecheckMs = 5_000;
const finalizerRemoval = { kind: "remove-finalizer", because: "EndpointDeleted" } as const;

export function planEndpoint(observed: EndpointObserved, nowMs: number): Plan<EndpointAction> {
  const { intent, object, balancers } = observed;
  if (object.paused) return emptyPlan;
  if (intent.deleting && !object.hasFinalizer) return planOf({ refusals: heldRefusals(observed) });
  if (!balancers.known && balancers.reason === "ClusterNotFound") return planOf({ waits: [unseenWait(balancers)] });
  if (!balancers.known && balancers.reason === "OwnerIdTaken") return planCopy(intent, balancers);
  const { ownerId } = intent;
  if (ownerId === undefined && intent.deleting) return planOf({ actions: [finalizerRemoval] });
  if (ownerId === undefined || !object.hasFinalizer) return planClaim(observed);
  if (!balancers.known) return planOf({ waits: [unseenWait(balancers)] });
  const situation = situationOf(observed, balancers.value, ownerId, nowMs);
  if (intent.deleting) return planDeletion(situation);
  const problems = problemsOf(observed);
  return neverLast(problems.length > 0 ? planHeld(situation, problems) : planWanted(situation), situation);
}

/** What bears its owner id is another object's: the copy goes without taking anything along. */
function planCopy({ deleting }: EndpointIntent, { reason, message }: Unknown): Plan<EndpointAction> {
  return deleting ? planOf({ actions: [finalizerRemoval] }) : planOf({ refusals: [{ reason, message }] });
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
  const { seats } = situation.claims;
  return joinPlans([
    ...seats.map((seat) => planBalancer(seat, situation)),
    ...seats.map((seat) => planFloatingIp(seat, situation)),
    planEndpointAddress(situation),
    planDns(situation),
    planRemovals(situation),
    planOf({ refusals: capabilities.known ? hintRefusals(situation, capabilities.value) : [] }),
    planOf({ refusals: noticeRefusals(situation) }),
  ]);
}

/**
 * Machines come and go whatever is wrong with the object; a rollout must not lose the API over a typo. Each balancer keeps the part
 * that its tags give it now, not the one it would get.
 */
function planHeld(situation: Situation, refusals: readonly Refusal[]): Plan<EndpointAction> {
  const { seats, surplus } = situation.claims;
  const present = [...seats.flatMap(({ seen }) => seen ?? []), ...surplus.map(({ seen }) => seen)].map(asItIs);
  return joinPlans([planOf({ refusals }), ...present.map((seat) => planMembersOnly(seat, situation))]);
}

function asItIs(seen: BalancerObserved): Seat {
  const zone = zoneTagOf(seen.balancer.tags);
  const role = zone === undefined ? "fallback" : "zone";
  return { lane: zone ?? "legacy", role, zone, name: seen.balancer.name, seen, because: "LoadBalancerDrifted" };
}

function problemsOf({ problems = [], intent }: EndpointObserved): readonly Refusal[] {
  const refusals = problems.map(
    (problem): Refusal => ({ reason: "EndpointSpecInvalid", message: formatProblem(problem) }),
  );
  const host = intent.clusterEndpoint?.host || intent.endpoint?.host || "";
  if (intent.mode !== "zones" || isDnsName(host)) return refusals;
  const message =
    host === ""
      ? "zones need controlPlaneEndpoint.host, a DNS name"
      : `controlPlaneEndpoint.host ${host} is not a DNS name: one address cannot stand for many balancers, so this cluster stays as it is`;
  return [...refusals, { reason: "EndpointNotDnsName", message }];
}

/** As Cluster API and CAPO do: machines go first. Through the other door the cluster may live on without us. */
function planDeletion(situation: Situation): Plan<EndpointAction> {
  const { observed, intent } = situation;
  if (intent.door === "OpenStackCluster" && observed.machines.length > 0) {
    const message = `${observed.machines.length} control-plane machines are still there`;
    return planOf({ waits: [{ reason: "MachinesRemain", recheckAfterMs: machinesRecheckMs, message }] });
  }
  const removals = joinPlans([planRemovals(situation), planDns(situation)]);
  if (!isEverythingGone(situation) || removals.actions.length > 0) return removals;
  const late = lateCreateWait(situation);
  const end = late === undefined ? { actions: [finalizerRemoval] } : { waits: [late] };
  return joinPlans([removals, planOf(end)]);
}
