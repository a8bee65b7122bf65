// What there is to say about one cluster's endpoint; front-doors/ turn it into the status of an object. Computed from the same situation as
// the plan. What later rounds must remember is in it too: where a balancer goes before it is made, and which addresses it had.

import { byText } from "../../../core/by-text.ts";
import type { WallMs } from "../../../core/clock-times.ts";
import type { LoadBalancerStatus, NetworkStatus } from "../apis/load-balancer/api-server-load-balancer.ts";
import { type AwayNow, awayNow } from "./balancer/away-since.ts";
import { isUnanswered, unansweredUntilMs } from "./balancer/late-creates.ts";
import { namedNow, publishedNow } from "./dns/named-addresses.ts";
import { isOursToDelete } from "./floating-ips/floating-ips.ts";
import type { EndpointStatus } from "./front-doors/endpoint-status.ts";
import { zonesOf } from "./model/intent.ts";
import { singleLane, zoneLane } from "./model/lanes.ts";
import type {
  BalancerObserved,
  EndpointObserved,
  Found,
  RecordedLegacy,
  RecordedZone,
  RecordedZoneDns,
} from "./model/observed.ts";
import { hasOwnerTag, isFallback, isFloatingIpFor, isFloatingIpMade } from "./model/ownership.ts";
import { leavingBalancers } from "./removal/leaving.ts";
import { existingBalancers, type WantedBalancer } from "./situation/assignment.ts";
import { hasEnough } from "./situation/readiness.ts";
import { type Situation, situationOf } from "./situation/situation.ts";
import { balancerStatus, rememberedStatus } from "./status/balancer-status.ts";
import { endpointConditions } from "./status/conditions.ts";
import { type RoundResult } from "./status/endpoint-condition.ts";
import { failureDomains } from "./status/failure-domains.ts";
import { withLastAnswers } from "./status/last-answers.ts";
import { withLastKnown } from "./status/last-known.ts";
import { settling } from "./status/settled-status.ts";
import { unseenConditions } from "./status/unseen-conditions.ts";
import { closedHeadline } from "./status/who-acts.ts";
import { zonesServed } from "./status/zones-served.ts";

export interface EndpointReport extends EndpointStatus {
  /** The memory of dns-records.ts, for `RecordedBalancer.dns` of the next round. Empty unless records are published. */
  readonly dns: readonly RecordedZoneDns[];
  /** The memory of away-since.ts; undefined while nobody can tell. */
  readonly away: readonly AwayNow[] | undefined;
  /** The memory of named-addresses.ts, for `EndpointObserved.named` of the next round. */
  readonly named: readonly string[];
  readonly published: readonly string[];
}

type Common = Pick<EndpointStatus, "endpoint" | "network" | "externalNetwork" | "failureDomains">;

export function endpointStatus(observed: EndpointObserved, round: RoundResult, nowMs: WallMs): EndpointReport {
  const { intent, standing, balancers } = observed;
  const common: Common = {
    endpoint: intent.endpoint,
    failureDomains: failureDomains(observed),
    ...networkStatus(observed),
  };
  // Everything is gone, and only somebody else's finalizer holds the object.
  const known =
    standing.is === "done"
      ? { ...observed, recorded: { zones: [], single: undefined, networkId: undefined } }
      : observed;
  return standing.is === "ours" && balancers.known
    ? computed(situationOf(observed, balancers.value, standing.ownerId, nowMs), round, common)
    : remembered(known, round, common);
}

function computed(situation: Situation, round: RoundResult, common: Common): EndpointReport {
  const { intent, observed } = situation;
  const all = [...situation.assignment.wanted.filter(({ role }) => role !== "fallback"), ...leavingZones(situation)];
  const settle = settling(situation, round);
  const shown = all.map((wanted) => ({ zone: wanted.zone, ...settle(balancerStatus(wanted, situation)) }));
  const single = unclaimedLegacy(situation) ?? mirrorOf(situation) ?? lastSingle(situation);
  return {
    ...common,
    ...toldWithLastKnown(endpointConditions(withLastAnswers(situation), shown, round), observed, round),
    provisioned: observed.object.provisioned || isProvisioned(situation),
    ...zonesOfStatus(
      shown.flatMap(({ zone, ...entry }) => (zone === undefined ? [] : [{ availabilityZone: zone, ...entry }])),
      observed,
    ),
    single: single === undefined ? undefined : settle(single),
    dns: intent.publishDns ? situation.records.zones : [],
    named: namedNow(situation),
    published: publishedNow(observed),
    away: awayNow(situation, round),
    leaving: leavingBalancers(situation),
    legacy: legacyOf(situation),
    location: observed.location ?? observed.recorded.location,
    unansweredUntilMs: unansweredUntilMs(
      situation,
      shown.map(({ zone }) => zone),
    ),
  };
}

function zonesOfStatus(
  zones: EndpointStatus["zones"],
  { intent }: EndpointObserved,
): Pick<EndpointStatus, "zones" | "zonesServed"> {
  const wanted = zonesOf(intent).map(({ zone }) => zone);
  return { zones, zonesServed: zonesServed(zones, wanted) };
}

/** What is Unknown now, with what was last known of it, which the next round must remember. */
function toldWithLastKnown(
  conditions: EndpointStatus["conditions"],
  { recorded: { lastKnown = [] } }: EndpointObserved,
  round: RoundResult,
): Pick<EndpointStatus, "conditions" | "lastKnown"> {
  // That there is nobody to speak of is known, whatever was said of those who are gone.
  const unknown = conditions.filter(({ status, reason }) => status === "Unknown" && reason !== "ZoneWithoutMembers");
  const kept = lastKnown
    .filter((known) => unknown.some(({ type }) => type === known.type))
    .toSorted(byText(({ type }) => type));
  const told = conditions.map((one) => closedHeadline(withLastKnown(one, kept), round));
  return { conditions: told, lastKnown: kept };
}

/** Zones that were removed and still have something in the cloud, or may have: forgotten now, it would not be found again. */
function leavingZones(situation: Situation): readonly WantedBalancer[] {
  const { assignment, observed, ownerId } = situation;
  const zonesWanted = new Set(assignment.wanted.map(({ zone }) => zone));
  const { floatingIps } = observed;
  // One that the operator prepared stays whatever becomes of its zone.
  const mayHaveOne = ({ zone, address }: RecordedZone) =>
    !floatingIps.known ||
    floatingIps.value.some(
      (one) =>
        (isFloatingIpMade(one, ownerId) && isFloatingIpFor(one, ownerId, zone)) ||
        // CAPO's, where floating IPs bear no tags: once it is free nothing but this entry says whose it is.
        (one.address === address && one.portId === undefined && isOursToDelete(one, situation)),
    );
  const unwantedByZone = new Map(assignment.unwanted.map(({ zone, seen }) => [zone, seen]));
  const unanswered = observed.recorded.zones.filter((entry) => observed.intent.deleting && isUnanswered(entry));
  const remembered = observed.recorded.zones.filter(mayHaveOne).map(({ zone }) => zone);
  return [...new Set([...unwantedByZone.keys(), ...remembered, ...unanswered.map(({ zone }) => zone)])]
    .flatMap((zone) => (zone === undefined || zonesWanted.has(zone) ? [] : [zone]))
    .toSorted()
    .map((zone) => {
      const seen = unwantedByZone.get(zone);
      return {
        lane: zoneLane(zone),
        role: "zone",
        zone,
        name: seen?.balancer.name ?? "",
        seen,
        because: "ZoneRemoved",
      };
    });
}

/** The cloud could not be observed, or may not be: everything stays as status has it. */
function remembered(observed: EndpointObserved, round: RoundResult, common: Common): EndpointReport {
  const { recorded, object } = observed;
  return {
    ...common,
    provisioned: object.provisioned,
    ...zonesOfStatus(
      recorded.zones.map(({ zone, ...before }) => ({ availabilityZone: zone, ...rememberedStatus(before, observed) })),
      observed,
    ),
    single: recorded.single === undefined ? undefined : rememberedStatus(recorded.single, observed),
    ...toldWithLastKnown(unseenConditions(observed, round), observed, round),
    location: recorded.location,
    unansweredUntilMs: recorded.unansweredUntilMs,
    legacy: recorded.legacy,
    named: namedNow({ observed }),
    published: publishedNow(observed),
    away: undefined,
    leaving: (recorded.leaving ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    dns:
      observed.dnsMemory ??
      recorded.zones.flatMap(({ zone, dns }) => (dns === undefined ? [] : [{ zone, memory: dns }])),
  };
}

/**
 * A legacy balancer that is ours by status alone stays in the singleton until it has its tag: the mirror would forget the one thing
 * that says whose it is.
 */
function unclaimedLegacy(situation: Situation): LoadBalancerStatus | undefined {
  const { assignment, observed, ownerId } = situation;
  const seen = [
    ...assignment.wanted.flatMap((wanted) => wanted.seen ?? []),
    ...assignment.unwanted.map((unwanted) => unwanted.seen),
  ].find(({ balancer }) => balancer.id === observed.recorded.single?.id && !hasOwnerTag(balancer.tags, ownerId));
  return seen === undefined ? undefined : balancerStatus(asSingle(seen), situation);
}

/** The fall-back, wanted or on its way out: as long as it is there, status says which it is. */
function legacyOf({ assignment, observed }: Situation): RecordedLegacy | undefined {
  const wanted = existingBalancers(assignment).filter(({ role }) => role === "fallback");
  const unwanted = assignment.unwanted.filter(({ seen }) => isFallback(seen.balancer, observed));
  const [kept] = [...wanted, ...unwanted];
  if (kept === undefined) return undefined;
  const { id, name, vipNetworkId, vipSubnetId } = kept.seen.balancer;
  return { id, name, networkId: vipNetworkId, subnetId: vipSubnetId };
}

/** The single balancer, or the first mapping's: the deprecated singleton has no other meaning. */
function mirrorOf(situation: Situation): LoadBalancerStatus | undefined {
  const first = situation.assignment.wanted.find(({ role }) => role !== "fallback");
  return first === undefined ? undefined : balancerStatus(first, situation);
}

/** When everything goes nothing is mirrored; what was, still says which one people know and where its floating IP was put, or may be. */
function lastSingle(situation: Situation): LoadBalancerStatus | undefined {
  const { intent, observed, assignment } = situation;
  const before = observed.recorded.single;
  const there = assignment.unwanted.find(({ seen }) => seen.balancer.id === before?.id)?.seen;
  if (there !== undefined) return balancerStatus(asSingle(there), situation);
  const isKept = intent.deleting || !observed.floatingIps.known;
  return before !== undefined && isKept ? rememberedStatus(before, observed) : undefined;
}

function asSingle(seen: BalancerObserved): WantedBalancer {
  const { name } = seen.balancer;
  return { lane: singleLane, role: "single", zone: undefined, name, seen, because: "AsExpected" };
}

function isProvisioned(situation: Situation): boolean {
  const { intent, problems } = situation;
  const { host = "", port = 0 } = intent.endpoint ?? {};
  if (host === "" || port === 0 || problems.length > 0 || intent.deleting) return false;
  return intent.mode === "none" || hasEnough(situation);
}

function networkStatus({ places }: EndpointObserved): Pick<EndpointStatus, "network" | "externalNetwork"> {
  if (!places.known) return { network: undefined, externalNetwork: undefined };
  const { clusterNetwork, clusterSubnets, externalNetwork } = places.value;
  const network = factsOf(clusterNetwork);
  const subnets = clusterSubnets.map(({ id, name, cidr, tags }) => ({ id, name, cidr, tags }));
  return {
    network: network === undefined ? undefined : { ...network, subnets },
    externalNetwork: factsOf(externalNetwork),
  };
}

function factsOf(
  found: Found<{ readonly id: string; readonly name: string; readonly tags: readonly string[] }> | undefined,
): NetworkStatus | undefined {
  if (found?.found !== "one") return undefined;
  const { id, name, tags } = found.value;
  return { id, name, tags };
}
