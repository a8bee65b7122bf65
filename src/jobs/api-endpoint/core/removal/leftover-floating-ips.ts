// Floating IPs that we made, or took over, for a balancer that is no longer there or no longer wanted. The user's own address is never
// deleted, whoever made it. One that somebody attached elsewhere is left alone, and holds the finalizer until they say whose it is.

import { sameAddress } from "../../../../core/net/ip.ts";
import type { FloatingIp } from "../../../../core/openstack/neutron-objects.ts";
import type { Plan } from "../../../../core/plan.ts";
import { emptyPlan } from "../../../../core/plan.ts";
import { unseenWait } from "../balancer/waits.ts";
import { isOursToDelete } from "../floating-ips/floating-ips.ts";
import type { EndpointAction } from "../model/action.ts";
import { joinPlans, planOf } from "../model/endpoint-plan.ts";
import { leftoverFloatingIpLane } from "../model/lanes.ts";
import { isFloatingIpFor } from "../model/ownership.ts";
import { recordedOf } from "../situation/places.ts";
import { floatingIpOn } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";

export function planLeftoverFloatingIps(situation: Situation): Plan<EndpointAction> {
  const { observed, intent } = situation;
  const { floatingIps } = observed;
  if (!floatingIps.known) return intent.deleting ? planOf({ waits: [unseenWait(floatingIps)] }) : emptyPlan;
  const leftovers = floatingIps.value
    .filter((one) => isOursToDelete(one, situation) && !isFloatingIpWanted(one, situation))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1));
  return joinPlans(leftovers.map((one) => planLeftover(one, situation)));
}

function isFloatingIpWanted(floatingIp: FloatingIp, { assignment, observed, intent, ownerId }: Situation): boolean {
  const { address, portId } = floatingIp;
  // Without balancers one is kept for the machines: see endpoint-address.ts.
  if (intent.mode === "none" && !intent.deleting && isFloatingIpFor(floatingIp, ownerId, undefined))
    return portId !== undefined || !isDuplicateOfEndpoint(floatingIp, observed);
  // Switched off, and nobody comes through it.
  if (!intent.floatingIp.enabled && portId === undefined) return false;
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

function planLeftover(floatingIp: FloatingIp, situation: Situation): Plan<EndpointAction> {
  const { id, address, portId } = floatingIp;
  const { intent, assignment } = situation;
  const lane = leftoverFloatingIpLane(address);
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
