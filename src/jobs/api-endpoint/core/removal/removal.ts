// What is ours and no longer wanted: balancers first, whole, then the floating IPs they leave behind. Deleting a cluster is this and
// nothing else. A floating IP that nothing else would say the owner of afterwards gets its mark before its balancer goes. One that somebody
// attached elsewhere is left alone, and holds the finalizer until they say whose it is.
//
//   unwanted because                goes when
//   the object is deleted          at once
//   its zone was removed           another way in is healthy
//   zones were switched off        the kept balancer is healthy through every machine that is healthy here
//   it is a duplicate                   another way in is healthy, or nobody is behind it
//   it was agreed to go            another way in is healthy
//   balancers were switched off    another way in is healthy; the last one only by consent
//
// One that serves, and is no duplicate, leaves the DNS records before: leaving.ts.

import { sameAddress } from "../../../../core/net/ip.ts";
import type { FloatingIp } from "../../../../core/openstack/neutron-objects.ts";
import type { Plan } from "../../../../core/plan.ts";
import { emptyPlan } from "../../../../core/plan.ts";
import { removeLegacyAnnotation } from "../../apis/annotations.ts";
import { pendingWait, unseenWait } from "../balancer/plan-balancer.ts";
import { asStep } from "../balancer/take-turn.ts";
import { isOursToDelete, markFloatingIp } from "../floating-ips/floating-ips.ts";
import type { EndpointAction } from "../model/action.ts";
import { isFloatingIpFor, isFloatingIpMade, zoneTagOf } from "../model/ownership.ts";
import type { UnwantedBalancer } from "../situation/assignment.ts";
import { memberHealth, membersBehind, servesAnybody } from "../situation/health.ts";
import { recordedOf } from "../situation/places.ts";
import { floatingIpOn } from "../situation/public-address.ts";
import {
  existingBalancers,
  joinPlans,
  machineOfMember,
  otherWays,
  planOf,
  type Situation,
} from "../situation/situation.ts";
import { inOrderOfRemoval, keptBalancer } from "./kept-balancer.ts";
import { lingeringWait } from "./leaving.ts";

export function planRemovals(situation: Situation): Plan<EndpointAction> {
  const { assignment, observed } = situation;
  const ordered = inOrderOfRemoval(assignment.unwanted, observed.recorded.single?.id);
  return joinPlans([...ordered.map((unwanted) => planUnwanted(unwanted, situation)), planFloatingIps(situation)]);
}

function planUnwanted(unwanted: UnwantedBalancer, situation: Situation): Plan<EndpointAction> {
  const { seen, lane, because } = unwanted;
  const { id, name, provisioningStatus } = seen.balancer;
  if (provisioningStatus.startsWith("PENDING_"))
    return planOf({ waits: [pendingWait(seen.balancer, lane, situation.nowMs)] });
  if (keptBalancer(situation)?.seen.balancer.id === id) {
    const message = `${name}: balancers are switched off, and it is kept because it is the last way in; annotate ${removeLegacyAnnotation}=true when nobody comes through it any more`;
    return planOf({ refusals: [{ reason: "LastLoadBalancerKept", message, lane }] });
  }
  if (!mayGo(unwanted, situation)) {
    const message = `${name}: it is no longer wanted, and stays because nothing else would let people in as well`;
    return planOf({ refusals: [{ reason: "LastHealthyEndpoint", message, lane }] });
  }
  const { floatingIps } = situation.observed;
  if (!floatingIps.known && situation.intent.floatingIp.enabled)
    return planOf({ waits: [unseenWait(floatingIps, lane)] });
  const mark = missingMark(unwanted, situation);
  if (mark !== undefined) return planOf({ actions: [asStep(mark)] });
  const wait = lingeringWait(unwanted, situation);
  if (wait !== undefined) return planOf({ waits: [wait] });
  const removes = `load balancer ${name}`;
  return planOf({ actions: [asStep({ kind: "delete-load-balancer", name, id, removes, lane, because })] });
}

/** What is made for a zone says so in its description, and is found by it. Tags of the user's prove nothing, and may be refused. */
function missingMark({ seen, lane }: UnwantedBalancer, situation: Situation): EndpointAction | undefined {
  const { observed, ownerId, intent } = situation;
  const zone = zoneTagOf(seen.balancer.tags);
  const attached = floatingIpOn(observed, seen.balancer.vipPortId);
  if (attached === undefined) return undefined;
  if (isFloatingIpMade(attached, ownerId) && isFloatingIpFor(attached, ownerId, zone)) return undefined;
  return markFloatingIp(attached, zone, lane, { ...situation, intent: { ...intent, tags: [] } });
}

function mayGo({ seen, because }: UnwantedBalancer, situation: Situation): boolean {
  const { intent, observed } = situation;
  if (intent.deleting) return true;
  if (intent.mode === "none" && intent.consents.removeLegacy) return true;
  // Never ready, or never in the records beside the one that is: nobody depends on it.
  const isUnknown = !observed.object.provisioned || because === "LoadBalancerDuplicate";
  if (isUnknown && !servesAnybody(seen, intent.apiPort, observed)) return true;
  const others = otherWays(situation, seen.balancer.id);
  if (because !== "ZonesDisabled") return others.length > 0;
  const kept = existingBalancers(situation).find(({ role }) => role === "single");
  const way = others.find(({ balancerId }) => balancerId === kept?.seen.balancer.id);
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

/** Made by us, for a balancer that is no longer wanted. The user's own address is never deleted, whoever made it. */
function planFloatingIps(situation: Situation): Plan<EndpointAction> {
  const { observed, intent } = situation;
  const { floatingIps } = observed;
  if (!floatingIps.known) return intent.deleting ? planOf({ waits: [unseenWait(floatingIps)] }) : emptyPlan;
  const left = floatingIps.value
    .filter((one) => isOursToDelete(one, situation) && !isFloatingIpWanted(one, situation))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1));
  return joinPlans(left.map((one) => planLeft(one, situation)));
}

function isFloatingIpWanted(floatingIp: FloatingIp, { assignment, observed, intent, ownerId }: Situation): boolean {
  const { address, portId } = floatingIp;
  // Without balancers one is kept for the machines: see endpoint-address.ts.
  if (intent.mode === "none" && !intent.deleting && isFloatingIpFor(floatingIp, ownerId, undefined))
    return portId !== undefined || !isDuplicateOfEndpoint(floatingIp, observed);
  return assignment.wanted.some(({ role, zone, seen }) => {
    if (portId !== undefined && seen?.balancer.vipPortId === portId) return true;
    // It has one already, or gets none: a second one that is set aside for it would stay for ever.
    const isServed = seen !== undefined && floatingIpOn(observed, seen.balancer.vipPortId) !== undefined;
    if (isServed || role === "fallback") return false;
    return isFloatingIpFor(floatingIp, ownerId, zone) || recordedOf(observed, zone)?.address === address;
  });
}

/** A lost answer can leave two for the machines: the endpoint is one of them, and nobody ever learnt the other. */
function isDuplicateOfEndpoint({ address }: FloatingIp, { intent, floatingIps }: Situation["observed"]): boolean {
  const host = intent.endpoint?.host ?? "";
  return address !== host && floatingIps.known && floatingIps.value.some((other) => other.address === host);
}

function planLeft(floatingIp: FloatingIp, situation: Situation): Plan<EndpointAction> {
  const { id, address, portId } = floatingIp;
  const { intent, assignment } = situation;
  const lane = `floating-ip/${address}`;
  // It hangs on a balancer that is about to go: that one first.
  if (portId !== undefined && assignment.unwanted.some(({ seen }) => seen.balancer.vipPortId === portId))
    return emptyPlan;
  const because = intent.deleting ? "EndpointDeleted" : "FloatingIpUnwanted";
  if (portId === undefined) {
    const removes = `floating IP ${address}`;
    return planOf({ actions: [{ kind: "delete-floating-ip", id, address, removes, lane, because }] });
  }
  if (isWhereWePutIt(floatingIp, situation)) {
    const removes = `the attachment of floating IP ${address}`;
    return planOf({ actions: [{ kind: "detach-floating-ip", id, address, removes, lane, because }] });
  }
  const message = `floating IP ${address}: no longer wanted here, and somebody attached it to port ${portId}, so it is left alone; detach it and it is deleted, or take our description and our tags off it and it is yours`;
  return planOf({ refusals: [{ reason: "FloatingIpInUse", message, lane }] });
}

/**
 * On the VIP that status remembers it for, whose balancer is gone: the port is on its way out, or was left behind. Or, without
 * balancers, on a control-plane machine. Everything else was somebody else's doing, and may carry their traffic.
 */
function isWhereWePutIt({ address, fixedAddress }: FloatingIp, { observed, intent }: Situation): boolean {
  const { recorded, machines } = observed;
  const vips = [recorded.single, ...recorded.zones].filter((entry) => entry?.address === address);
  const places = [
    ...vips.flatMap((entry) => entry?.internalAddress ?? []),
    ...(intent.mode === "none" ? machines.flatMap(({ addresses }) => addresses) : []),
  ];
  return fixedAddress !== undefined && places.some((place) => sameAddress(place, fixedAddress));
}

/** Nothing of ours is left in the cloud, and we know it. */
export function isEverythingGone(situation: Situation): boolean {
  const { floatingIps } = situation.observed;
  if (!floatingIps.known || situation.assignment.unwanted.length > 0) return false;
  return !floatingIps.value.some((one) => isOursToDelete(one, situation));
}
