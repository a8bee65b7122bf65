// Which DNS records an endpoint should have now: what is known of each balancer is put before dns-records.ts, which decides.

import type { BalancerObserved } from "../model/observed.ts";
import { existingBalancers, type UnwantedBalancer, type WantedBalancer } from "../situation/assignment.ts";
import { letsPeopleIn } from "../situation/balancer-health.ts";
import { currentRoles } from "../situation/current-roles.ts";
import { type Health, healthBehind, isOpen, memberHealth, membersBehind } from "../situation/health.ts";
import { mayBeInUse } from "../situation/in-use.ts";
import { leavesInError } from "../situation/leaves-in-error.ts";
import { machineOfMember } from "../situation/machine-of-member.ts";
import { recordedOf } from "../situation/places.ts";
import { publicAddress } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";
import { type DnsRecords, type DnsZone, dnsRecords } from "./dns-records.ts";

/** The situation as far as it is known before there are records. */
type Facts = Omit<Situation, "records">;

export function endpointRecords(situation: Facts): DnsRecords {
  const { observed, nowMs, kept } = situation;
  if (kept !== undefined) return keptRecords(kept, situation);
  const zones = balancersInRecords(situation).map(
    (wanted): DnsZone => ({
      zone: wanted.zone ?? "",
      address: publicAddress(observed, wanted.seen),
      health: leavesInError(wanted, situation) ? "bad" : dnsHealth(wanted.seen, situation),
      lasts: lasts(wanted.seen, situation),
      before: recordedOf(observed, wanted.zone)?.dns,
    }),
  );
  return dnsRecords(zones, nowMs, standIns(zones, situation));
}

/** Whether it is well does not matter; while it is not seen to be, whoever else serves still has a record. */
function keptRecords({ seen }: UnwantedBalancer, situation: Facts): DnsRecords {
  const { address } = publicAddress(situation.observed, seen);
  const own = address === undefined ? [] : [address];
  const isSeenToServe = address !== undefined && dnsHealth(seen, situation) === "good";
  const addresses = [...new Set([...own, ...(isSeenToServe ? [] : standIns([], situation))])].toSorted();
  return { standIns: addresses, addresses, zones: [], recheckAfterMs: undefined };
}

/** Those that have a record while they are healthy. With a problem in the object, those that had before, whatever it asks for now. */
export function balancersInRecords(situation: Facts): readonly WantedBalancer[] {
  const { observed, assignment, problems } = situation;
  const hadOne = ({ zone, seen }: WantedBalancer) => {
    const before = recordedOf(observed, zone);
    return before?.dns !== undefined && before.id === seen?.balancer.id;
  };
  const all = problems.length === 0 ? assignment.wanted : currentRoles(situation).filter(hadOne);
  return all.filter(({ role }) => role !== "fallback");
}

/** Addresses of balancers that have no record of their own, and serve until somebody else does: a legacy fall-back, a removed zone's. */
function standIns(zones: readonly DnsZone[], situation: Facts): readonly string[] {
  const { assignment, observed } = situation;
  const published = observed.object.dnsEndpoint?.addresses ?? [];
  const recorded = new Set(balancersInRecords(situation).map(({ seen }) => seen?.balancer.id));
  const others = [...existingBalancers(assignment), ...assignment.unwanted].filter(
    ({ seen }) => !recorded.has(seen.balancer.id),
  );
  const seen = others.flatMap((other) => {
    const { address } = publicAddress(observed, other.seen);
    if (address === undefined) return [];
    const isIn =
      dnsHealth(other.seen, situation) === "good" || (mayStandIn(other.seen, situation) && published.includes(address));
    return isIn ? [address] : [];
  });
  // While Neutron is away nothing says whose the rest of what is published is: it stood in, and goes on.
  const isZones = (address: string) =>
    zones.some((zone) => zone.address.address === address || zone.before?.addresses.includes(address));
  const unseen = observed.floatingIps.known ? [] : published.filter((address) => !isZones(address));
  return [...new Set([...seen, ...unseen])].toSorted();
}

/** Nobody can tell, or Octavia calls it ERROR and it may serve all the same. */
function mayStandIn(seen: BalancerObserved, situation: Facts): boolean {
  const isInError = seen.balancer.provisioningStatus === "ERROR";
  return dnsHealth(seen, situation) === "unknown" || (isInError && mayBeInUse(seen, situation.observed));
}

function dnsHealth(seen: BalancerObserved | undefined, { intent, observed }: Facts): Health {
  if (seen === undefined) return "bad";
  if (!seen.tree.known) return "unknown";
  if (!letsPeopleIn(seen, observed) || !isOpen(seen, intent.apiPort)) return "bad";
  return healthBehind(seen, intent.apiPort, observed);
}

/** Whose machine is on its way out, or who is foreign, may be gone in a moment. Without machines every member counts. */
function lasts(seen: BalancerObserved | undefined, { intent, observed }: Facts): boolean {
  if (seen === undefined) return false;
  return membersBehind(seen, intent.apiPort).some((member) => {
    const machine = machineOfMember(observed, member);
    const stays = observed.machines.length === 0 || (typeof machine === "object" && !machine.deleting);
    return stays && memberHealth(member, seen.balancer.provider, observed) === "good";
  });
}
