// Floating IPs that we made, or took over, for a balancer that is no longer there or no longer wanted. The user's own address is never
// deleted, whoever made it; nor is one that the cluster's endpoint names while the cluster lives, or one that lost its balancer while
// floating IPs are switched off. One that somebody attached elsewhere is left alone, and holds the finalizer until they say whose it is.

import { sameAddress } from "../../../../core/net/ip.ts";
import type { FloatingIp } from "../../../../core/openstack/neutron-objects.ts";
import type { Lane, Plan, Wait } from "../../../../core/plan.ts";
import { emptyPlan } from "../../../../core/plan.ts";
import { unseenWait } from "../balancer/waits.ts";
import { addressOutOfRecords, isNamedByOthers, lingerMs, publishedNow } from "../dns/named-addresses.ts";
import { unreadWait } from "../dns/records-unread.ts";
import { isOursToDelete } from "../floating-ips/floating-ips.ts";
import { addressLeftBehind } from "../floating-ips/left-behind.ts";
import { type EndpointAction, seenOf } from "../model/action.ts";
import { joinPlans, planOf } from "../model/endpoint-plan.ts";
import { leftoverFloatingIpLane } from "../model/lanes.ts";
import type { EndpointObserved } from "../model/observed.ts";
import { isFloatingIpFor } from "../model/ownership.ts";
import { notAnswered } from "../situation/cloud-away.ts";
import { isEndpoint } from "../situation/endpoint-holder.ts";
import { recordedOf } from "../situation/places.ts";
import { floatingIpOn } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";
import { whenForgotten } from "./leaving.ts";

export function planLeftoverFloatingIps(situation: Situation): Plan<EndpointAction> {
  const { observed, intent } = situation;
  const { floatingIps } = observed;
  if (!floatingIps.known)
    return intent.deleting ? planOf({ waits: [unseenWait(notAnswered(floatingIps, "Neutron"))] }) : emptyPlan;
  const leftovers = floatingIps.value
    .filter((one) => isOursToDelete(one, situation) && !isFloatingIpWanted(one, situation))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1));
  return joinPlans(leftovers.map((one) => planLeftover(one, situation)));
}

function isFloatingIpWanted(floatingIp: FloatingIp, { assignment, observed, intent, ownerId }: Situation): boolean {
  const { address, portId } = floatingIp;
  if (!intent.deleting && isEndpoint(address, intent)) return true;
  if (intent.mode === "none" && !intent.deleting && isFloatingIpFor(floatingIp, ownerId, undefined))
    return isForMachines(floatingIp, observed);
  if (assignment.wanted.some((wanted) => addressLeftBehind(wanted, observed) === address)) return true;
  // Switched off, and somebody took it off its balancer.
  if (!intent.floatingIp.enabled && portId === undefined) return false;
  return assignment.wanted.some(({ role, zone, seen }) => {
    if (portId !== undefined && seen?.balancer.vipPortId === portId) return true;
    // It has one already, or gets none: a second one that is set aside for it would stay for ever.
    const isServed = seen !== undefined && floatingIpOn(observed, seen.balancer.vipPortId) !== undefined;
    if (isServed || role === "fallback") return false;
    return isFloatingIpFor(floatingIp, ownerId, zone) || recordedOf(observed, zone)?.address === address;
  });
}

/**
 * Without balancers one is kept for the machines: the endpoint, or what is to become it (endpoint-address.ts). A lost answer can leave another:
 * beside the endpoint, or where floating IPs were switched off before it came. Nobody ever learnt that one.
 */
function isForMachines({ address, portId }: FloatingIp, { intent, floatingIps }: EndpointObserved): boolean {
  const host = intent.endpoint?.host ?? "";
  if (portId !== undefined || address === host) return true;
  if (!intent.floatingIp.enabled || intent.externalNetworkDisabled) return false;
  return !(floatingIps.known && floatingIps.value.some((other) => other.address === host));
}

function planLeftover(floatingIp: FloatingIp, situation: Situation): Plan<EndpointAction> {
  const { id, address, portId } = floatingIp;
  const { intent, assignment } = situation;
  const lane = leftoverFloatingIpLane(address);
  // It hangs on a balancer that is about to go: that one first.
  if (portId !== undefined && assignment.unwanted.some(({ seen }) => seen.balancer.vipPortId === portId))
    return emptyPlan;
  const because = intent.deleting ? "EndpointDeleted" : "FloatingIpUnwanted";
  const isWhereWeLeftIt = portId === undefined || isWhereWePutIt(floatingIp, situation);
  const wait = isWhereWeLeftIt ? forgottenWait(floatingIp, lane, situation) : undefined;
  if (wait !== undefined) return planOf({ waits: [wait] });
  const what = { id, address, seen: seenOf(floatingIp), lane, because } as const;
  if (portId === undefined) {
    const removes = `floating IP ${address}`;
    return planOf({ actions: [{ kind: "delete-floating-ip", ...what, removes }] });
  }
  if (isWhereWeLeftIt) {
    const removes = `the attachment of floating IP ${address}`;
    return planOf({ actions: [{ kind: "detach-floating-ip", ...what, removes }] });
  }
  const message = `floating IP ${address}: no longer wanted here, and somebody attached it to port ${portId}, so it is left alone; detach it and it is deleted, or take our description and our tags off it and it is yours`;
  return planOf({ refusals: [{ reason: "FloatingIpInUse", message, lane }] });
}

/** Released, it is somebody else's in a moment: nobody may be on the way to it then. A cluster that goes takes its records with it. */
function forgottenWait({ address }: FloatingIp, lane: Lane, situation: Situation): Wait | undefined {
  const { intent, observed } = situation;
  const reason = "LoadBalancerLeaving";
  const unread = unreadWait(`floating IP ${address}`, lane, observed);
  if (unread !== undefined) return unread;
  const isPublished = publishedNow(observed).includes(address);
  if (isPublished || isNamedByOthers(address, observed)) {
    const message = `floating IP ${address}: it is released when ${whenForgotten(address, situation)}`;
    return { reason, lane, message, recheckAfterMs: lingerMs };
  }
  const out = addressOutOfRecords(address, situation);
  if (intent.deleting || out === undefined || out.forMs >= lingerMs) return undefined;
  const until = new Date(out.sinceMs + lingerMs).toISOString();
  const message = `floating IP ${address}: out of the DNS records, and it is released at ${until}, when resolvers no longer return it`;
  return { reason, lane, message, recheckAfterMs: lingerMs - out.forMs };
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
