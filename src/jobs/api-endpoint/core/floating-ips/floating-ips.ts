// Floating IPs of wanted balancers. Found by the VIP's port, never by another zone's memory; never taken from another port; made
// together with their attachment, so that nothing can leak in between.
//
//   on the VIP's port                     one                → done; ours gets its tags
//   none there, the user names an address free               → attach it        in use elsewhere → refuse        unknown → ask for it
//   none there, ours for this zone        free               → attach it        elsewhere        → refuse
//   none there, the one it had            free               → attach it        somebody else's mark → it is theirs now
//   none at all                                              → make one on the port

import { familyOf, sameAddress } from "../../../../core/net/ip.ts";
import type { FloatingIp } from "../../../../core/openstack/neutron-objects.ts";
import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { Lane, Plan, Refusal } from "../../../../core/plan.ts";
import { emptyPlan } from "../../../../core/plan.ts";
import { unseenWait } from "../balancer/waits.ts";
import { difference } from "../difference.ts";
import { type EndpointAction, seenOf } from "../model/action.ts";
import { planOf } from "../model/endpoint-plan.ts";
import type { EndpointIntent } from "../model/intent.ts";
import { floatingIpLane } from "../model/lanes.ts";
import { balancerDescription, isClusterDescription, isFloatingIpDescriptionOf } from "../model/names.ts";
import { hasAnyOwnerTag, hasOwnerTag, isFloatingIpFor, isFloatingIpMade } from "../model/ownership.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { notAnswered } from "../situation/cloud-away.ts";
import { isEndpoint } from "../situation/endpoint-holder.ts";
import { recordedOf } from "../situation/places.ts";
import { floatingIpOn } from "../situation/public-address.ts";
import { type Situation } from "../situation/situation.ts";
import { type DesiredFloatingIp, desireFloatingIp } from "./desired-floating-ip.ts";
import { addressLeftBehind } from "./left-behind.ts";

export function planFloatingIp(wanted: WantedBalancer, situation: Situation): Plan<EndpointAction> {
  const { floatingIps } = situation.observed;
  const balancer = wanted.seen?.balancer;
  const desired = desireFloatingIp(wanted, situation);
  if (desired === undefined) return planOf({ refusals: keptAlthoughOff(wanted, situation) });
  if (balancer === undefined) return emptyPlan;
  if (balancer.vipPortId === "" || ["PENDING_DELETE", "ERROR"].includes(balancer.provisioningStatus)) return emptyPlan;
  const lane = floatingIpLane(wanted.lane);
  if (familyOf(balancer.vipAddress) === 6) {
    const message = `${balancer.name}: its VIP ${balancer.vipAddress} is IPv6, which has no floating IPs`;
    return planOf({ refusals: [{ reason: "FloatingIpSkipped", message, lane }] });
  }
  if (!floatingIps.known) return planOf({ waits: [unseenWait(notAnswered(floatingIps, "Neutron"), lane)] });
  const all = floatingIps.value.toSorted((a, b) => (a.address < b.address ? -1 : 1));
  const attached = floatingIpOn(situation.observed, balancer.vipPortId);
  if (attached !== undefined) {
    const marking = markFloatingIp(attached, desired.tags, lane, situation);
    return planOf({ actions: marking === undefined ? [] : [marking] });
  }
  // The fall-back keeps what it has and gets nothing new.
  if (wanted.role === "fallback") return emptyPlan;
  const candidate =
    desired.address === undefined
      ? candidateFor(all, wanted, situation)
      : all.find(({ address }) => sameAddress(address, desired.address ?? ""));
  return candidate === undefined ? planNew(desired, balancer, lane, situation) : planAttach(candidate, balancer, lane);
}

/** Switched off later: whoever has its address would lose the way in. Detached by hand it is released (leftover-floating-ips.ts). */
function keptAlthoughOff({ lane, ...wanted }: WantedBalancer, situation: Situation): readonly Refusal[] {
  const { observed, intent } = situation;
  const { name, vipPortId } = wanted.seen?.balancer ?? { name: wanted.name, vipPortId: "" };
  const kept = (message: string): Refusal => ({ reason: "FloatingIpKept", message, lane: floatingIpLane(lane) });
  const left = addressLeftBehind(wanted, observed);
  const leftWords = `${name}: floating IPs are switched off, and ${left} was on the load balancer that was here before; it is on none now, and is kept because people may use it; attach it to the VIP, or delete it when nobody does`;
  const attached = floatingIpOn(observed, vipPortId);
  const isKept = attached !== undefined && wanted.role !== "fallback" && isOursToDelete(attached, situation);
  const keptWords = `${name}: floating IPs are switched off, and ${attached?.address} stays on it because people may come through it; ${whenReleased(attached?.address, intent)}`;
  return [...(left === undefined ? [] : [kept(leftWords)]), ...(isKept ? [kept(keptWords)] : [])];
}

function whenReleased(address: string | undefined, intent: EndpointIntent): string {
  return address !== undefined && isEndpoint(address, intent)
    ? "it is the cluster's endpoint, and is deleted with the cluster"
    : "detach it when nobody does, and Mainstay deletes it";
}

/** Where the user names no address: the one that is marked for this zone, or the one it had. */
function candidateFor(
  all: readonly FloatingIp[],
  wanted: WantedBalancer,
  situation: Situation,
): FloatingIp | undefined {
  const { wanted: ours, unwanted } = situation.assignment;
  const ourPorts = [...ours, ...unwanted].flatMap(({ seen }) => seen?.balancer.vipPortId ?? []);
  // One that serves another balancer of ours is that one's, whatever its mark still says.
  const marked = all.filter(
    (one) =>
      isFloatingIpFor(one, situation.ownerId, wanted.zone) &&
      !(one.portId !== undefined && ourPorts.includes(one.portId)),
  );
  const recorded = recordedOf(situation.observed, wanted.zone);
  const before = recorded?.address ?? recorded?.keptAddress;
  return (
    marked.find(({ portId, address }) => portId === undefined && address === before) ??
    marked.find(({ portId }) => portId === undefined) ??
    marked[0] ??
    all.find((one) => one.address === before && one.portId === undefined && !isSomebodyElses(one, situation))
  );
}

/** An address that was given back may be another cluster's by now. What people write of their own accord is no mark. */
function isSomebodyElses({ tags, description }: FloatingIp, { ownerId, intent }: Situation): boolean {
  if (hasOwnerTag(tags, ownerId) || isFloatingIpDescriptionOf(ownerId, description)) return false;
  const isOfACluster = isClusterDescription(description) && description !== balancerDescription(intent.cluster);
  return hasAnyOwnerTag(tags) || isOfACluster;
}

function planAttach(floatingIp: FloatingIp, balancer: LoadBalancer, lane: Lane): Plan<EndpointAction> {
  const { id, address, portId } = floatingIp;
  if (portId !== undefined) {
    const message = `floating IP ${address}: attached to port ${portId}, not to ${balancer.name}; it is not taken from there`;
    return planOf({ refusals: [{ reason: "FloatingIpInUse", message, lane }] });
  }
  const what = { id, address, seen: seenOf(floatingIp), lane, because: "FloatingIpDetached" } as const;
  return planOf({ actions: [{ kind: "attach-floating-ip", ...what, portId: balancer.vipPortId }] });
}

function planNew(
  { description, address }: DesiredFloatingIp,
  { vipPortId: portId }: LoadBalancer,
  lane: Lane,
  situation: Situation,
): Plan<EndpointAction> {
  const external = externalNetwork(situation, lane);
  if ("plan" in external) return external.plan;
  const named = address === undefined ? {} : { address };
  const wanted = { floatingNetworkId: external.id, portId, description, ...named };
  return planOf({ actions: [{ kind: "create-floating-ip", wanted, ...named, lane, because: "FloatingIpMissing" }] });
}

export function externalNetwork(
  { observed, intent }: Situation,
  lane: Lane,
): { readonly id: string } | { readonly plan: Plan<EndpointAction> } {
  if (!observed.places.known)
    return { plan: planOf({ waits: [unseenWait(notAnswered(observed.places, "Neutron"), lane)] }) };
  const found = observed.places.value.externalNetwork;
  if (!intent.externalNetworkDisabled && found?.found === "one") return { id: found.value.id };
  const why = intent.externalNetworkDisabled
    ? "the external network is disabled"
    : found === undefined || found.found === "one"
      ? "there is no external network"
      : found.message;
  const refusal: Refusal = { reason: "ExternalNetworkUnresolved", message: `no floating IP can be made: ${why}`, lane };
  return { plan: planOf({ refusals: [refusal] }) };
}

/** Made by us; or made by CAPO for this cluster, and remembered by status as its balancer's. */
export function isOursToDelete(floatingIp: FloatingIp, { observed, ownerId, intent }: Situation): boolean {
  const { address } = floatingIp;
  if (address === intent.floatingIp.address) return false;
  if (isFloatingIpMade(floatingIp, ownerId)) return true;
  const { single, zones } = observed.recorded;
  const isRemembered = [single, ...zones].some((entry) => [entry?.address, entry?.keptAddress].includes(address));
  return isCapos(floatingIp, intent) && isRemembered;
}

/** Made by CAPO for this cluster, and taken over with its balancer. One that bears an owner's tag was prepared by somebody: theirs. */
function isCapos({ description, tags }: FloatingIp, { door, cluster }: EndpointIntent): boolean {
  return door === "OpenStackCluster" && description === balancerDescription(cluster) && !hasAnyOwnerTag(tags);
}

/**
 * Ours, and CAPO's on a balancer that we took over with it: marked as ours to delete. Others' stay as they are. Also before a balancer
 * goes: nothing else would say afterwards whose it was.
 */
export function markFloatingIp(
  floatingIp: FloatingIp,
  desiredTags: readonly string[],
  lane: Lane,
  { observed, ownerId, intent, userTags }: Situation,
): EndpointAction | undefined {
  const { id, address } = floatingIp;
  const isTaken = isCapos(floatingIp, intent) && address !== intent.floatingIp.address;
  if (!isFloatingIpMade(floatingIp, ownerId) && !isTaken) return undefined;
  const { capabilities } = observed;
  const cannot = capabilities.known && capabilities.value.refused.some(({ feature }) => feature === "floating-ip-tags");
  const { tags } = difference({ tags: desiredTags }, floatingIp, userTags.former);
  if (tags === undefined || cannot) return undefined;
  return { kind: "tag-floating-ip", id, address, tags, lane, because: "FloatingIpUnmarked" };
}
