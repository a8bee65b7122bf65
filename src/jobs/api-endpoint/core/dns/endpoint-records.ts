// Which DNS records an endpoint should have now: what is known of each balancer is put before dns-records.ts, which decides.

import { byText } from "../../../../core/by-text.ts";
import type { BalancerObserved, EndpointObserved, RecordedDns } from "../model/observed.ts";
import { existingBalancers, type UnwantedBalancer, type WantedBalancer } from "../situation/assignment.ts";
import { waitsForMachines } from "../situation/cluster-bond.ts";
import { currentRoles } from "../situation/current-roles.ts";
import { mayBeInUse } from "../situation/in-use.ts";
import { leavesInError } from "../situation/leaves-in-error.ts";
import { dnsBefore, recordedOf } from "../situation/places.ts";
import { hadAddress, publicAddress } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";
import { answersUnread, dnsHealth, lasts } from "./dns-health.ts";
import { type DnsHealth, type DnsRecords, type DnsZone, dnsRecords, type StandIn } from "./dns-records.ts";

/** The situation as far as it is known before there are records. */
type Facts = Omit<Situation, "records">;

export function endpointRecords(situation: Facts): DnsRecords {
  const { observed, nowMs, kept } = situation;
  if (kept !== undefined) return keptRecords(kept, situation);
  const zones = balancersInRecords(situation).map(
    (wanted): DnsZone => ({
      zone: wanted.zone ?? "",
      address: publicAddress(observed, wanted.seen),
      health: leavesInError(wanted, situation) ? "bad" : healthThere(wanted, observed),
      lasts: lasts(wanted.seen, observed),
      answersUnread: answersUnread(wanted.seen, observed),
      before: dnsBefore(observed, wanted.zone) ?? asPublished(wanted, observed),
    }),
  );
  return dnsRecords(zones, nowMs, standIns(zones, situation));
}

/** Where nothing is remembered, such as of a balancer that has become the only one, what is published tells whether it was in. */
function asPublished({ seen }: WantedBalancer, observed: EndpointObserved): RecordedDns | undefined {
  const { address } = publicAddress(observed, seen);
  const { dnsEndpoint, foreignDnsEndpoint } = observed.object;
  const isIn = address !== undefined && foreignDnsEndpoint === undefined && dnsEndpoint?.addresses.includes(address);
  return isIn ? { addresses: [address], badSinceMs: undefined } : undefined;
}

/** While Neutron is away an address that only the balancer before it is known to have had leads nowhere, as far as anybody knows. */
function healthThere({ seen, zone }: WantedBalancer, observed: EndpointObserved): DnsHealth {
  const isOfAnother =
    publicAddress(observed, seen).is === "unseen" && !hadAddress(recordedOf(observed, zone), seen?.balancer.id);
  return isOfAnother ? "bad" : dnsHealth(seen, observed);
}

/** Whether it is well does not matter; while it is not seen to be, whoever else serves still has a record. */
function keptRecords({ seen }: UnwantedBalancer, situation: Facts): DnsRecords {
  const { address } = publicAddress(situation.observed, seen);
  const own = address === undefined ? [] : [address];
  const isSeenToServe = address !== undefined && dnsHealth(seen, situation.observed) === "good";
  const others = isSeenToServe ? [] : standIns([], situation).filter(isServingOrNamed);
  const addresses = [...new Set([...own, ...others.map((one) => one.address)])].toSorted();
  return { standIns: addresses, addresses, zones: [], recheckAfterMs: undefined };
}

function isServingOrNamed({ health, isPublished }: StandIn): boolean {
  return health === "good" || isPublished;
}

/** Those that have a record while they are healthy. With a problem in the object, or while its deletion waits for machines, those that had before, whatever it asks for now. */
export function balancersInRecords(situation: Facts): readonly WantedBalancer[] {
  const { observed, assignment, problems } = situation;
  const hadOne = (wanted: WantedBalancer) => {
    const { zone, seen } = wanted;
    const isSame = recordedOf(observed, zone)?.id === seen?.balancer.id;
    return (isSame && dnsBefore(observed, zone) !== undefined) || asPublished(wanted, observed) !== undefined;
  };
  const isHeld = problems.length > 0 || waitsForMachines(observed);
  const all = isHeld ? currentRoles(situation).filter(hadOne) : assignment.wanted;
  return all.filter(({ role }) => role !== "fallback");
}

/** Balancers that have no record of their own, and serve until somebody else does: a legacy fall-back, a removed zone's. */
function standIns(zones: readonly DnsZone[], { assignment, observed, ...facts }: Facts): readonly StandIn[] {
  const published = observed.object.dnsEndpoint?.addresses ?? [];
  const recorded = new Set(balancersInRecords({ assignment, observed, ...facts }).map(({ seen }) => seen?.balancer.id));
  const seen = [...existingBalancers(assignment), ...assignment.unwanted]
    .filter((other) => !recorded.has(other.seen.balancer.id))
    .flatMap((other): readonly StandIn[] => {
      const { address } = publicAddress(observed, other.seen);
      const health = standInHealth(other.seen, observed);
      if (address === undefined || health === "bad") return [];
      return [{ address, health, isPublished: published.includes(address) }];
    });
  // While Neutron is away nothing says whose the rest of what is published is: it stood in, and goes on.
  const isZones = (address: string) =>
    zones.some((zone) => zone.address.address === address || zone.before?.addresses.includes(address));
  const isSeen = (address: string) => seen.some((one) => one.address === address);
  const unseen = observed.floatingIps.known ? [] : published.filter((address) => !isZones(address) && !isSeen(address));
  return [...seen, ...unseen.map((address): StandIn => ({ address, health: "unknown", isPublished: true }))].toSorted(
    byText(({ address }) => address),
  );
}

/** Of one in ERROR that may be in use nothing is known for certain, whatever its members are said to be: it stays where it is published. */
function standInHealth(seen: BalancerObserved, observed: EndpointObserved): DnsHealth {
  const health = dnsHealth(seen, observed);
  const isInError = seen.balancer.provisioningStatus === "ERROR";
  return health === "bad" && isInError && mayBeInUse(seen, observed) ? "unknown" : health;
}
