// Which balancer plays which part. Nothing is decided by name, and every choice that must last is written down as a tag, so that a
// crash between two steps, a reordered mapping or a lost status changes no answer.
//
//   wanted       first the one tagged for it        else
//   zone Z       tagged with zone Z                 the legacy balancer, if its VIP is in Z's subnet; else it is created
//   single       tagged `single`                    the one that status mirrors, the legacy one, a zone's with healthy members; else created
//   fall-back    –                                  the legacy balancer that no zone could take: it stays until its removal is agreed
//
// What is ours and plays no part is surplus. What bears our name and is not ours is foreign, and left alone.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import type { Word } from "../../../../core/reasons.ts";
import { singleName, zoneName } from "../model/names.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { type BalancerRole, roleTagOf, zoneTagOf } from "../model/ownership.ts";
import { comparing, type Ours, ourBalancers } from "./our-balancers.ts";
import { zoneSubnetId } from "./places.ts";

/** A balancer that is wanted, whether it exists or not. */
export interface Seat {
  readonly lane: string;
  readonly role: BalancerRole;
  readonly zone: string | undefined;
  /** What it should be called. */
  readonly name: string;
  readonly seen: BalancerObserved | undefined;
  /** Why its name and tags would change. */
  readonly because: Word;
}

export interface Surplus {
  readonly lane: string;
  readonly seen: BalancerObserved;
  readonly because: Word;
}

export interface Claims {
  readonly seats: readonly Seat[];
  readonly surplus: readonly Surplus[];
  readonly foreign: readonly LoadBalancer[];
}

export const singleLane = "single";
export const fallbackLane = "legacy";

export function claim(observed: EndpointObserved, balancers: readonly BalancerObserved[], ownerId: string): Claims {
  const ours = ourBalancers(observed, balancers, ownerId);
  const { intent } = observed;
  if (intent.deleting) return everythingSurplus(ours, "EndpointDeleted");
  if (intent.mode === "none") return everythingSurplus(ours, "LoadBalancerUnwanted");
  return intent.mode === "zones" ? claimZones(observed, ours) : claimSingle(observed, ours);
}

function claimZones(observed: EndpointObserved, ours: Ours): Claims {
  const { intent } = observed;
  const [legacy, ...duplicates] = ours.zoneless;
  const heir = legacy === undefined ? undefined : heirOf(legacy, observed, ours);
  const seats = intent.zones.map(({ zone }): Seat => {
    const isHeir = zone === heir;
    const seen = isHeir ? legacy : ours.zones.get(zone)?.[0];
    const name = zoneName(intent.cluster, zone);
    return { lane: zone, role: "zone", zone, name, seen, because: isHeir ? "LegacyMigrated" : "LoadBalancerDrifted" };
  });
  const isKept = legacy !== undefined && heir === undefined && !intent.consents.removeLegacy;
  const isAgreed = legacy !== undefined && heir === undefined && intent.consents.removeLegacy;
  const mapped = new Set(intent.zones.map(({ zone }) => zone));
  return {
    seats: isKept ? [...seats, fallbackSeat(legacy)] : seats,
    surplus: [
      ...[...ours.zones].flatMap(([zone, all]) =>
        mapped.has(zone) ? surplusOf(all.slice(1), "LoadBalancerDuplicate") : surplusOf(all, "ZoneRemoved"),
      ),
      ...surplusOf(duplicates, "LoadBalancerDuplicate"),
      ...(isAgreed ? surplusOf([legacy], "LegacyRemovalAgreed") : []),
    ],
    foreign: bearing(ours.foreign, [singleName(intent.cluster), ...seats.map(({ name }) => name)]),
  };
}

/** The zone that takes the legacy balancer over: its VIP cannot move, so it must lie there already (decision 6). */
function heirOf({ balancer }: BalancerObserved, observed: EndpointObserved, ours: Ours): string | undefined {
  return observed.intent.zones.find(
    ({ zone }) => !ours.zones.has(zone) && zoneSubnetId(observed, zone) === balancer.vipSubnetId,
  )?.zone;
}

function claimSingle(observed: EndpointObserved, ours: Ours): Claims {
  const { intent, recorded } = observed;
  const all = [...ours.zoneless, ...[...ours.zones.values()].flat()];
  const kept =
    all.find(({ balancer }) => roleTagOf(balancer.tags) === "single") ??
    all.find(({ balancer }) => balancer.id === recorded.single?.id) ??
    ours.zoneless[0] ??
    [...ours.zones.values()].flat().toSorted((a, b) => comparing(healthRank(a), healthRank(b)) || byZone(a, b))[0];
  const fromZone = kept !== undefined && zoneTagOf(kept.balancer.tags) !== undefined;
  const name = singleName(intent.cluster);
  const because = fromZone ? "ZonesDisabled" : "LoadBalancerDrifted";
  const seat: Seat = { lane: singleLane, role: "single", zone: undefined, name, seen: kept, because };
  const rest = all.filter((other) => other !== kept);
  const fallbacks = rest.filter(({ balancer }) => roleTagOf(balancer.tags) === "fallback");
  const isAgreed = intent.consents.removeLegacy;
  return {
    seats: [seat, ...(isAgreed ? [] : fallbacks.slice(0, 1).map(fallbackSeat))],
    surplus: [
      ...surplusOf(isAgreed ? fallbacks : fallbacks.slice(1), "LegacyRemovalAgreed"),
      ...rest
        .filter((other) => !fallbacks.includes(other))
        .flatMap((other) =>
          surplusOf([other], zoneTagOf(other.balancer.tags) === undefined ? "LoadBalancerDuplicate" : "ZonesDisabled"),
        ),
    ],
    foreign: bearing(ours.foreign, [name]),
  };
}

function everythingSurplus(ours: Ours, because: Word): Claims {
  return { seats: [], surplus: surplusOf([...ours.zones.values(), ours.zoneless].flat(), because), foreign: [] };
}

function fallbackSeat(seen: BalancerObserved): Seat {
  const { name } = seen.balancer;
  return { lane: fallbackLane, role: "fallback", zone: undefined, name, seen, because: "LoadBalancerDrifted" };
}

function surplusOf(all: readonly BalancerObserved[], because: Word): readonly Surplus[] {
  return all.map((seen) => ({ lane: zoneTagOf(seen.balancer.tags) ?? fallbackLane, seen, because }));
}

function bearing(foreign: readonly LoadBalancer[], names: readonly string[]): readonly LoadBalancer[] {
  return foreign.filter(({ name }) => names.includes(name)).toSorted((a, b) => comparing(a.id, b.id));
}

function healthRank({ balancer, tree }: BalancerObserved): string {
  const healthy =
    tree.known && tree.value.pools.some(({ members }) => members.some((m) => m.operatingStatus === "ONLINE"));
  return `${balancer.provisioningStatus === "ACTIVE" ? "0" : "1"}${healthy ? "0" : "1"}`;
}

function byZone(a: BalancerObserved, b: BalancerObserved): number {
  return (
    comparing(zoneTagOf(a.balancer.tags) ?? "", zoneTagOf(b.balancer.tags) ?? "") ||
    comparing(a.balancer.id, b.balancer.id)
  );
}
