// What each balancer is for. Nothing is decided by name, and every choice that must last is written down as a tag, so that a crash
// between two steps, a reordered mapping or a lost status changes no answer. Status answers only where somebody cleared the tags.
//
//   wanted       first the one tagged for it        else
//   zone Z       tagged with zone Z                 the legacy balancer, if its VIP is in Z's subnet; else it is created
//   single       tagged `single`                    the one that status mirrors, the legacy one, a zone's with healthy members; else created
//   fall-back    –                                  the legacy balancer that no zone could take: it stays until its removal is agreed
//
// What is ours and has no role is unwanted. What bears our name and is not ours is foreign, and left alone.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { Lane } from "../../../../core/plan.ts";
import type { Word } from "../../../../core/reasons.ts";
import { zonesOf } from "../model/intent.ts";
import { fallbackLane, singleLane, zoneLane } from "../model/lanes.ts";
import { singleName, zoneName } from "../model/names.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { type BalancerRole, isFallback, roleTagOf } from "../model/ownership.ts";
import { poolsOf } from "./health.ts";
import { comparing, type Ours, ourBalancers } from "./our-balancers.ts";
import { zoneSubnetId } from "./places.ts";

/** A balancer that is wanted, whether it exists or not. */
export interface WantedBalancer {
  readonly lane: Lane;
  readonly role: BalancerRole;
  readonly zone: string | undefined;
  /** What it should be called. */
  readonly name: string;
  readonly seen: BalancerObserved | undefined;
  /** Why its name and tags would change. */
  readonly because: Word;
}

/** One that is wanted and there. */
export type ExistingBalancer = WantedBalancer & { readonly seen: BalancerObserved };

/** One that is ours and is to go. */
export interface UnwantedBalancer {
  readonly lane: Lane;
  readonly zone: string | undefined;
  readonly seen: BalancerObserved;
  readonly because: Word;
}

export interface Assignment {
  readonly wanted: readonly WantedBalancer[];
  readonly unwanted: readonly UnwantedBalancer[];
  readonly foreign: readonly LoadBalancer[];
}

export function assignBalancers(
  observed: EndpointObserved,
  balancers: readonly BalancerObserved[],
  ownerId: string,
): Assignment {
  const ours = ourBalancers(observed, balancers, ownerId);
  const { intent } = observed;
  if (intent.deleting) return everythingUnwanted(ours, "EndpointDeleted");
  if (intent.mode === "none") return everythingUnwanted(ours, "LoadBalancerUnwanted");
  return intent.mode === "zones" ? assignZones(observed, ours) : assignSingle(observed, ours);
}

function assignZones(observed: EndpointObserved, ours: Ours): Assignment {
  const { intent } = observed;
  const [legacy, ...duplicates] = ours.zoneless;
  const adoptingZone = legacy === undefined ? undefined : adoptingZoneOf(legacy, observed, ours);
  const zones = zonesOf(intent).map(({ zone }): WantedBalancer => {
    const isAdopting = zone === adoptingZone;
    const seen = isAdopting ? legacy : ours.zones.get(zone)?.[0];
    const name = zoneName(intent.cluster, zone);
    return {
      lane: zoneLane(zone),
      role: "zone",
      zone,
      name,
      seen,
      because: isAdopting ? "LegacyMigrated" : "LoadBalancerDrifted",
    };
  });
  const isKept = legacy !== undefined && adoptingZone === undefined && !intent.consents.removeLegacy;
  const isAgreed = legacy !== undefined && adoptingZone === undefined && intent.consents.removeLegacy;
  const mapped = new Set(zonesOf(intent).map(({ zone }) => zone));
  return {
    wanted: isKept ? [...zones, asFallback(legacy)] : zones,
    unwanted: [
      ...[...ours.zones].flatMap(([zone, all]) =>
        mapped.has(zone)
          ? unwantedOf(all.slice(1), "LoadBalancerDuplicate", zone)
          : unwantedOf(all, "ZoneRemoved", zone),
      ),
      ...unwantedOf(duplicates, "LoadBalancerDuplicate"),
      ...(isAgreed ? unwantedOf([legacy], "LegacyRemovalAgreed") : []),
    ],
    foreign: bearing(ours.foreign, [singleName(intent.cluster), ...zones.map(({ name }) => name)]),
  };
}

/** The zone that takes the legacy balancer over: its VIP cannot move, so it must lie there already. */
function adoptingZoneOf({ balancer }: BalancerObserved, observed: EndpointObserved, ours: Ours): string | undefined {
  return zonesOf(observed.intent).find(
    ({ zone }) => !ours.zones.has(zone) && zoneSubnetId(observed, zone) === balancer.vipSubnetId,
  )?.zone;
}

function assignSingle(observed: EndpointObserved, ours: Ours): Assignment {
  const { intent, recorded } = observed;
  const zoned = [...ours.zones].flatMap(([zone, balancers]) => balancers.map((seen) => ({ zone, seen })));
  const all = [...ours.zoneless, ...zoned.map(({ seen }) => seen)];
  const zoneOf = (one: BalancerObserved | undefined) => zoned.find(({ seen }) => seen === one)?.zone;
  const kept =
    all.find(({ balancer }) => roleTagOf(balancer.tags) === "single") ??
    all.find(({ balancer }) => balancer.id === recorded.single?.id) ??
    ours.zoneless[0] ??
    // Of equals the first zone's, and of its duplicates the one to keep: they come in this order.
    [...ours.zones.values()].flat().toSorted((a, b) => comparing(healthRank(a), healthRank(b)))[0];
  const fromZone = zoneOf(kept) !== undefined;
  const name = singleName(intent.cluster);
  const because = fromZone ? "ZonesDisabled" : "LoadBalancerDrifted";
  const single: WantedBalancer = { lane: singleLane, role: "single", zone: undefined, name, seen: kept, because };
  const rest = all.filter((other) => other !== kept);
  const fallbacks = rest.filter(({ balancer }) => isFallback(balancer, observed));
  const isAgreed = intent.consents.removeLegacy;
  return {
    wanted: [single, ...(isAgreed ? [] : fallbacks.slice(0, 1).map(asFallback))],
    unwanted: [
      ...unwantedOf(isAgreed ? fallbacks : fallbacks.slice(1), "LegacyRemovalAgreed"),
      ...rest
        .filter((other) => !fallbacks.includes(other))
        .flatMap((other) => {
          const zone = zoneOf(other);
          return unwantedOf([other], zone === undefined ? "LoadBalancerDuplicate" : "ZonesDisabled", zone);
        }),
    ],
    foreign: bearing(ours.foreign, [name]),
  };
}

function everythingUnwanted(ours: Ours, because: Word): Assignment {
  const unwanted = [
    ...[...ours.zones].flatMap(([zone, all]) => unwantedOf(all, because, zone)),
    ...unwantedOf(ours.zoneless, because),
  ];
  return { wanted: [], unwanted, foreign: [] };
}

function asFallback(seen: BalancerObserved): WantedBalancer {
  const { name } = seen.balancer;
  return { lane: fallbackLane, role: "fallback", zone: undefined, name, seen, because: "LoadBalancerDrifted" };
}

function unwantedOf(all: readonly BalancerObserved[], because: Word, zone?: string): readonly UnwantedBalancer[] {
  const lane = zone === undefined ? fallbackLane : zoneLane(zone);
  return all.map((seen) => ({ lane, zone, seen, because }));
}

export function existingBalancers({ wanted }: Assignment): readonly ExistingBalancer[] {
  return wanted.flatMap((one) => (one.seen === undefined ? [] : [{ ...one, seen: one.seen }]));
}

function bearing(foreign: readonly LoadBalancer[], names: readonly string[]): readonly LoadBalancer[] {
  return foreign.filter(({ name }) => names.includes(name)).toSorted((a, b) => comparing(a.id, b.id));
}

function healthRank(seen: BalancerObserved): string {
  const { balancer } = seen;
  const healthy = poolsOf(seen).some(({ members }) => members.some((m) => m.operatingStatus === "ONLINE"));
  return `${balancer.provisioningStatus === "ACTIVE" ? "0" : "1"}${healthy ? "0" : "1"}`;
}
