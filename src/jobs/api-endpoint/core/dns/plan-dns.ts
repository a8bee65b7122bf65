// Keeps the DNSEndpoint of external-dns at what dns-records.ts says, for those who asked for it.

import { formatRef } from "../../../../apis/kube/kube-object.ts";
import { isDnsName, withoutClosingDot } from "../../../../apis/text/dns-name.ts";
import type { Plan, Refusal } from "../../../../core/plan.ts";
import { emptyPlan } from "../../../../core/plan.ts";
import type { EndpointAction } from "../model/action.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { keptBalancer } from "../removal/kept-balancer.ts";
import { allAsTheyAre } from "../situation/as-it-is.ts";
import type { UnwantedBalancer, WantedBalancer } from "../situation/assignment.ts";
import { type Health, healthBehind, isOpen, memberHealth, membersBehind, servesNow } from "../situation/health.ts";
import { problemsOf } from "../situation/object-problems.ts";
import { recordedOf } from "../situation/places.ts";
import { publicAddress } from "../situation/public-address.ts";
import { existingBalancers, machineOfMember, planOf, type Situation } from "../situation/situation.ts";
import { type DnsRecords, type DnsZone, dnsRecords } from "./dns-records.ts";

const dnsLane = "dns";

export function planDns(situation: Situation): Plan<EndpointAction> {
  const { intent, observed } = situation;
  const there = observed.object.dnsEndpoint;
  const host = withoutClosingDot(intent.endpoint?.host ?? "");
  const isWanted = intent.mode !== "none" || keptBalancer(situation) !== undefined;
  if (!intent.publishDns || intent.deleting || !isWanted || !isDnsName(host)) {
    if (there === undefined) return emptyPlan;
    const removes = `DNSEndpoint of ${there.host}`;
    const because = intent.deleting ? "EndpointDeleted" : "DnsUnwanted";
    return planOf({ actions: [{ kind: "delete-dns-endpoint", removes, lane: dnsLane, because }] });
  }
  if (observed.object.isDnsEndpointForeign === true) return planOf({ refusals: [foreignDns(situation)] });
  return followRecords(host, situation);
}

/** The object has problems: what is published stays under its name and true, and nothing else is. */
export function planHeldDns(situation: Situation): Plan<EndpointAction> {
  const { dnsEndpoint, isDnsEndpointForeign = false } = situation.observed.object;
  return dnsEndpoint === undefined || isDnsEndpointForeign ? emptyPlan : followRecords(dnsEndpoint.host, situation);
}

function followRecords(host: string, situation: Situation): Plan<EndpointAction> {
  const there = situation.observed.object.dnsEndpoint;
  const { addresses, recheckAfterMs } = recordsOf(situation);
  const isThere = there?.host === host && there.addresses.toSorted().join(" ") === addresses.join(" ");
  return planOf({
    actions:
      addresses.length === 0 || isThere
        ? []
        : [{ kind: "apply-dns-endpoint", host, addresses, lane: dnsLane, because: "DnsRecordsChanged" }],
    waits:
      recheckAfterMs === undefined
        ? []
        : [{ reason: "ZoneLeavingDns", recheckAfterMs: Math.max(1_000, recheckAfterMs), lane: dnsLane }],
  });
}

function foreignDns({ intent }: Situation): Refusal {
  const message = `DNSEndpoint ${formatRef(intent.object)}: it does not bear our mark, so it is left alone and no records are published; rename or delete it, or turn the publishing of DNS records off`;
  return { reason: "DnsEndpointForeign", message, lane: dnsLane };
}

export function recordsOf(situation: Situation): DnsRecords {
  const { observed, nowMs } = situation;
  const kept = keptBalancer(situation);
  if (kept !== undefined) return keptRecords(kept, situation);
  const zones = balancersInRecords(situation).map(
    (wanted): DnsZone => ({
      zone: wanted.zone ?? "",
      address: publicAddress(observed, wanted.seen),
      health: dnsHealth(wanted.seen, situation),
      lasts: lasts(wanted.seen, situation),
      before: recordedOf(observed, wanted.zone)?.dns,
    }),
  );
  return dnsRecords(zones, nowMs, standIns(zones, situation));
}

/** Whether it is well does not matter; while it is not seen to be, whoever else serves still has a record. */
function keptRecords({ seen }: UnwantedBalancer, situation: Situation): DnsRecords {
  const { address } = publicAddress(situation.observed, seen);
  const own = address === undefined ? [] : [address];
  const isSeenToServe = address !== undefined && dnsHealth(seen, situation) === "good";
  const addresses = [...new Set([...own, ...(isSeenToServe ? [] : standIns([], situation))])].toSorted();
  return { standIns: addresses, addresses, zones: [], recheckAfterMs: undefined };
}

/** Those that have a record while they are healthy. With a problem in the object, those that had before, whatever it asks for now. */
export function balancersInRecords(situation: Situation): readonly WantedBalancer[] {
  const { observed, assignment } = situation;
  const hadOne = ({ zone, seen }: WantedBalancer) => {
    const before = recordedOf(observed, zone);
    return before?.dns !== undefined && before.id === seen?.balancer.id;
  };
  const all = problemsOf(observed).length === 0 ? assignment.wanted : allAsTheyAre(situation).filter(hadOne);
  return all.filter(({ role }) => role !== "fallback");
}

/** Addresses of balancers that have no record of their own, and serve until somebody else does: a legacy fall-back, a removed zone's. */
function standIns(zones: readonly DnsZone[], situation: Situation): readonly string[] {
  const { assignment, observed } = situation;
  const published = observed.object.dnsEndpoint?.addresses ?? [];
  const recorded = new Set(balancersInRecords(situation).map(({ seen }) => seen?.balancer.id));
  const others = [...existingBalancers(situation), ...assignment.unwanted].filter(
    ({ seen }) => !recorded.has(seen.balancer.id),
  );
  const seen = others.flatMap((other) => {
    const { address } = publicAddress(observed, other.seen);
    const health = dnsHealth(other.seen, situation);
    const isIn = address !== undefined && (health === "good" || (health === "unknown" && published.includes(address)));
    return isIn ? [address] : [];
  });
  // While Neutron is away nothing says whose the rest of what is published is: it stood in, and goes on.
  const isZones = (address: string) =>
    zones.some((zone) => zone.address.address === address || zone.before?.addresses.includes(address));
  const unseen = observed.floatingIps.known ? [] : published.filter((address) => !isZones(address));
  return [...new Set([...seen, ...unseen])].toSorted();
}

function dnsHealth(seen: BalancerObserved | undefined, { intent, observed }: Situation): Health {
  if (seen === undefined) return "bad";
  if (!seen.tree.known) return "unknown";
  return servesNow(seen) && isOpen(seen, intent.apiPort) ? healthBehind(seen, intent.apiPort, observed) : "bad";
}

/** Whose machine is on its way out, or who is a stranger's, may be gone in a moment. Without machines nobody is judged. */
function lasts(seen: BalancerObserved | undefined, { intent, observed }: Situation): boolean {
  if (seen === undefined) return false;
  return membersBehind(seen, intent.apiPort).some((member) => {
    const machine = machineOfMember(observed, member);
    const stays = observed.machines.length === 0 || (typeof machine === "object" && !machine.deleting);
    return stays && memberHealth(member, seen.balancer.provider, observed) === "good";
  });
}
