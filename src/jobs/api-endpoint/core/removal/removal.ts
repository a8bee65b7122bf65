// When a balancer of ours that is no longer wanted may be deleted. Deleting a cluster is this and nothing else.
//
//   unwanted because               may go when
//   the object is deleted          at once, once no machine needs it any more (situation/cluster-bond.ts), and no DNSEndpoint of ours names its VIP
//   its zone was removed           another way in is healthy, or another zone has its balancer and nobody can depend on this one
//   zones were switched off        the single balancer is healthy through every machine that is healthy here
//   it is a duplicate              another way in is healthy, or nobody can depend on it (situation/in-use.ts)
//   it was agreed to go            another way in is healthy
//   balancers were switched off    another way in is healthy; the last one only by consent (kept-balancer.ts)
//
// One that is wanted is deleted in one case only: it is in ERROR, and is made again afterwards (balancer/repair.ts says when).
//
// Before it goes, its floating IP gets our mark, by which it is found and deleted afterwards (leftover-floating-ips.ts); and one that serves,
// and is no duplicate, leaves the DNS records and serves on for a while (leaving.ts). never-last.ts then has the last word on the whole plan.

import type { Lane, Plan, Wait } from "../../../../core/plan.ts";
import { removeLegacyAnnotation } from "../../apis/annotations.ts";
import { restBeforeDeletionMs, resting } from "../balancer/pauses.ts";
import { asStep } from "../balancer/take-turn.ts";
import { pendingWait, unseenWait } from "../balancer/waits.ts";
import { unreadWait } from "../dns/records-unread.ts";
import { isOursToDelete, markFloatingIp } from "../floating-ips/floating-ips.ts";
import type { EndpointAction } from "../model/action.ts";
import { joinPlans, planOf } from "../model/endpoint-plan.ts";
import { hasOwnerTag, isFloatingIpFor, isFloatingIpMade, retagged, tagsFor } from "../model/ownership.ts";
import { existingBalancers, type UnwantedBalancer, type WantedBalancer } from "../situation/assignment.ts";
import { notAnswered } from "../situation/cloud-away.ts";
import { currentRole, isIdleDuplicate } from "../situation/current-roles.ts";
import { healthBehind, memberHealth, membersBehind } from "../situation/health.ts";
import { mayBeInUse } from "../situation/in-use.ts";
import { machineOfMember } from "../situation/machine-of-member.ts";
import { placeOf } from "../situation/places.ts";
import { floatingIpOn } from "../situation/public-address.ts";
import { isMade } from "../situation/readiness.ts";
import { otherWays, type Situation } from "../situation/situation.ts";
import { inOrderOfRemoval, keptAsFallback } from "./kept-balancer.ts";
import { lingeringWait } from "./leaving.ts";
import { planLeftoverFloatingIps } from "./leftover-floating-ips.ts";

export function planRemovals(situation: Situation): Plan<EndpointAction> {
  const { assignment, observed } = situation;
  const ordered = inOrderOfRemoval(assignment.unwanted, observed.recorded.single?.id);
  return joinPlans([
    ...ordered.map((unwanted) => planUnwanted(unwanted, situation)),
    planLeftoverFloatingIps(situation),
  ]);
}

function planUnwanted(unwanted: UnwantedBalancer, situation: Situation): Plan<EndpointAction> {
  const plan = planGoing(unwanted, situation);
  const retagging = plan.actions.length === 0 ? missingTags(unwanted, situation) : undefined;
  return retagging === undefined ? plan : { ...plan, actions: [asStep(retagging)] };
}

function planGoing(unwanted: UnwantedBalancer, situation: Situation): Plan<EndpointAction> {
  const { seen, lane, because } = unwanted;
  const { id, name, provisioningStatus, vipAddress } = seen.balancer;
  if (provisioningStatus.startsWith("PENDING_"))
    return planOf({ waits: [pendingWait(seen, lane, situation.cloudNowMs)] });
  if (situation.kept?.seen.balancer.id === id) {
    const message = `${name}: balancers are switched off, and it is kept because it is the last way in; annotate ${removeLegacyAnnotation}=true when nobody comes through it any more`;
    return planOf({ refusals: [{ reason: "LastLoadBalancerKept", message, lane }] });
  }
  if (!mayGo(unwanted, situation)) {
    if (situation.assignment.wanted.some((wanted) => isComing(wanted, situation)))
      return planOf({ waits: [waitForAnother(name, lane)] });
    const message = `${name}: it is no longer wanted, and stays because nothing else would let people in as well`;
    return planOf({ refusals: [{ reason: "LastHealthyEndpoint", message, lane }] });
  }
  const { floatingIps } = situation.observed;
  if (!floatingIps.known && situation.intent.floatingIp.enabled)
    return planOf({ waits: [unseenWait(notAnswered(floatingIps, "Neutron"), lane)] });
  const mark = missingMark(unwanted, situation);
  if (mark !== undefined) return planOf({ actions: [asStep(mark)] });
  const wait = unreadWait(name, lane, situation.observed) ?? lingeringWait(unwanted, situation);
  if (wait !== undefined) return planOf({ waits: [wait] });
  const removes = `load balancer ${name}`;
  const deletion = asStep({ kind: "delete-load-balancer", name, id, vipAddress, removes, lane, because });
  const restMs = provisioningStatus === "ERROR" ? restBeforeDeletionMs(seen.balancer, situation) : 0;
  return planOf({ actions: [resting(deletion, restMs)] });
}

/** What is done about the other one is looked at more often by itself; one that cannot be made costs no more than this. */
const anotherRecheckMs = 60_000;

function waitForAnother(name: string, lane: Lane): Wait {
  const message = `${name}: it is no longer wanted, and is deleted when another load balancer serves`;
  return { reason: "LoadBalancerLeaving", recheckAfterMs: anotherRecheckMs, message, lane };
}

/** It is being made, or nobody has checked its members yet: every healthy start goes through that. */
function isComing(wanted: WantedBalancer, situation: Situation): boolean {
  const { seen, role, zone } = wanted;
  if (role === "fallback" || seen?.balancer.provisioningStatus === "ERROR") return false;
  // One that has no place comes when somebody corrects the object, and not by itself.
  if (seen === undefined) return "place" in (placeOf(situation.observed, zone) ?? {});
  if (isMade(wanted, situation) === "no") return true;
  return seen.tree.known && healthBehind(seen, situation.intent.apiPort, situation.observed) === "unknown";
}

/** One that stays for a while gets back the tags that somebody cleared: status, which still knows it, may be lost in a move. */
function missingTags({ seen, zone, lane }: UnwantedBalancer, situation: Situation): EndpointAction | undefined {
  const { id, name, tags: current, provisioningStatus } = seen.balancer;
  const { userTags, ownerId } = situation;
  if (zone === undefined || hasOwnerTag(current, ownerId) || provisioningStatus !== "ACTIVE") return undefined;
  const tags = retagged(current, tagsFor({ ownerId, zone, role: "zone" }, userTags.wanted), userTags.former);
  if (tags === undefined) return undefined;
  return { kind: "update-load-balancer", name, id, change: { tags }, lane, because: "LoadBalancerDrifted" };
}

/** What is made for a zone says so in its description, and is found by it. Tags of the user's prove nothing, and may be refused. */
function missingMark({ seen, zone, lane }: UnwantedBalancer, situation: Situation): EndpointAction | undefined {
  const { observed, ownerId } = situation;
  const attached = floatingIpOn(observed, seen.balancer.vipPortId);
  if (attached === undefined) return undefined;
  if (isFloatingIpMade(attached, ownerId) && isFloatingIpFor(attached, ownerId, zone)) return undefined;
  return markFloatingIp(attached, tagsFor({ ownerId, zone, role: "floating-ip" }, []), lane, situation);
}

function mayGo({ seen, because }: UnwantedBalancer, situation: Situation): boolean {
  const { intent, observed } = situation;
  if (intent.deleting) return true;
  if (intent.mode === "none" && intent.consents.removeLegacy) return true;
  // Never ready, never in the records beside the one that is, or replaced before anybody stood behind it: nobody depends on it, unless something
  // else says so.
  const isUnknown =
    !observed.object.provisioned ||
    because === "LoadBalancerDuplicate" ||
    (because === "ZoneRemoved" && hasActiveZone(situation));
  if (isUnknown && !mayBeInUse(seen, observed)) return true;
  const others = otherWays(situation, seen.balancer.id);
  if (because !== "ZonesDisabled") return others.length > 0;
  const single = existingBalancers(situation.assignment).find(({ role }) => role === "single");
  const way = others.find(({ balancerId }) => balancerId === single?.seen.balancer.id);
  // Whom others put here, or whose machine is gone, nobody else will ever serve.
  const servedHere = membersBehind(seen, intent.apiPort).filter(
    (member) =>
      memberHealth(member, seen.balancer.provider, observed) !== "bad" &&
      typeof machineOfMember(observed, member) === "object",
  );
  return (
    way !== undefined && servedHere.every(({ address }) => way.healthy.some((member) => member.address === address))
  );
}

function hasActiveZone({ assignment }: Situation): boolean {
  return existingBalancers(assignment).some(
    ({ role, seen }) => role === "zone" && seen.balancer.provisioningStatus === "ACTIVE",
  );
}

/** Balancers that are to go and are not changed now: the machines behind them are kept up to date until they go. */
export function stillServing({ actions }: Plan<EndpointAction>, situation: Situation): readonly WantedBalancer[] {
  const keptId = situation.kept?.seen.balancer.id;
  const changed = new Set<string>(
    actions.flatMap((action) =>
      action.kind === "delete-load-balancer" || action.kind === "update-load-balancer" ? [action.id] : [],
    ),
  );
  return situation.assignment.unwanted
    .filter((one) => !changed.has(one.seen.balancer.id) && !isIdleDuplicate(one, situation))
    .map((one) => (one.seen.balancer.id === keptId ? keptAsFallback(one) : currentRole(one.seen, situation.observed)));
}

/** Nothing of ours is left in the cloud, and we know it. */
export function isEverythingGone(situation: Situation): boolean {
  const { floatingIps } = situation.observed;
  if (!floatingIps.known || situation.assignment.unwanted.length > 0) return false;
  return !floatingIps.value.some((one) => isOursToDelete(one, situation));
}
