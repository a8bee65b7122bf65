// Which addresses the endpoint's DNS name should have now, chosen anew each time by what is known. One function for the command line and
// for the controller; its memory (RecordedDns) lies in status beside each zone's balancer, so that it outlives a restart.
//
//   a zone is            while one is seen to serve      while one may, and none is seen to      while none does either
//   good                 in, at once                     –                                       –
//   may serve            out, damped                     in, at once                             –
//   unknown              as it was                       as it was                               as it was; in, where all published are bad
//   bad                  out, damped                     out, damped                             as it was
//
// One that is unknown because nobody can look below it counts as seen to serve, for the others, while somebody answers at its address, and it was
// in the records and not bad when it was last seen. Damped: as it was until it has been so for 15 s without a break. Where nothing was ever published every address is in: a name that
// resolves to nothing helps nobody while a cluster begins. What is in has the address that it has now; as it was while nobody can tell.
//
// While no zone is seen to be good, and for more than a moment, balancers that are on their way out and still serve stand in, so that a
// move never leads clients to nobody.

import type { WallMs } from "../../../../core/clock-times.ts";
import type { RecordedDns, RecordedZoneDns } from "../model/observed.ts";
import { notAhead } from "../model/recorded-time.ts";
import type { Health } from "../situation/health.ts";
import type { PublicAddress } from "../situation/public-address.ts";

/** `may serve`: Octavia says that the balancer itself is broken, and members answer behind it. */
export type DnsHealth = Health | "may serve";

export interface DnsZone {
  /** Empty for the single balancer. */
  readonly zone: string;
  readonly address: PublicAddress;
  readonly health: DnsHealth;
  /** Somebody healthy stands behind it who is not about to leave. */
  readonly lasts: boolean;
  readonly before: RecordedDns | undefined;
  /** Of one that is unknown because nobody can look below it: somebody answers at its address. */
  readonly answersUnread?: boolean;
}

/** A balancer that plays no part any more, and serves or may. */
export interface StandIn {
  readonly address: string;
  readonly health: Exclude<DnsHealth, "bad">;
  readonly isPublished: boolean;
}

export interface DnsRecords {
  /** Of those: addresses of balancers that stand in. */
  readonly standIns: readonly string[];
  /** Sorted, each once. */
  readonly addresses: readonly string[];
  readonly zones: readonly RecordedZoneDns[];
  /** Until a zone that looks bad may leave; undefined when none is about to. */
  readonly recheckAfterMs: number | undefined;
}

/** A zone that looks bad stays in the records for so long. */
export const dampingMs = 15_000;

export function dnsRecords(zones: readonly DnsZone[], nowMs: WallMs, leaving: readonly StandIn[] = []): DnsRecords {
  const standIns = chooseStandIns(zones, leaving);
  const best = bestOf(zones, standIns);
  const decided = zones.map((zone) => (best === "none" ? stay(zone, zones, nowMs) : follow(zone, best, nowMs)));
  const delays = decided.flatMap(({ leavesInMs }) => leavesInMs ?? []);
  const inPlace = standIns.map(({ address }) => address);
  return {
    standIns: inPlace,
    addresses: [...new Set([...decided.flatMap(({ memory }) => memory.addresses), ...inPlace])].toSorted(),
    zones: decided.filter((_, index) => isTellable(zones[index])).map(({ zone, memory }) => ({ zone, memory })),
    recheckAfterMs: delays.length === 0 ? undefined : Math.min(...delays),
  };
}

/** What is not seen to serve goes on where it is published, and begins only when there is nobody better. */
function chooseStandIns(zones: readonly DnsZone[], leaving: readonly StandIn[]): readonly StandIn[] {
  if (zones.length === 0 || zones.some((zone) => zone.lasts && isIn(zone, "good"))) return [];
  const serving = leaving.filter(({ health }) => health === "good");
  const isAnybody = bestOf(zones, serving) !== "none";
  return leaving.filter(
    ({ health, isPublished }) => health === "good" || isPublished || (health === "may serve" && !isAnybody),
  );
}

/** The best that people can be sent to. */
type Best = "good" | "may serve" | "none";

function bestOf(zones: readonly DnsZone[], standIns: readonly StandIn[]): Best {
  const isAny = (health: DnsHealth) =>
    zones.some((zone) => isIn(zone, health)) || standIns.some((one) => one.health === health);
  if (isAny("good") || zones.some(servesUnread)) return "good";
  return isAny("may serve") || standIns.length > 0 ? "may serve" : "none";
}

function isIn(zone: DnsZone, health: DnsHealth): boolean {
  return zone.health === health && inNow(zone).length > 0;
}

/** An answer alone does not tell who stands behind it: a balancer without members takes connections, too. */
function servesUnread(zone: DnsZone): boolean {
  const wasWell = asItWas(zone).length > 0 && zone.before?.badSinceMs === undefined;
  return zone.health === "unknown" && zone.answersUnread === true && wasWell;
}

interface ZoneDecision extends RecordedZoneDns {
  readonly leavesInMs?: number;
}

/** Somebody serves, or may. */
function follow(zone: DnsZone, best: Exclude<Best, "none">, nowMs: WallMs): ZoneDecision {
  const { health, before } = zone;
  // The count of one that is in for want of a better one begins anew when there is a better one.
  if (health === "good" || health === best) return remember(zone, inNow(zone), undefined);
  if (health === "unknown") return remember(zone, asItWas(zone), before?.badSinceMs);
  const { badSinceMs, leavesInMs } = badness(zone, nowMs);
  const kept = leavesInMs <= 0 ? [] : asItWas(zone);
  return { ...remember(zone, kept, badSinceMs), ...(kept.length === 0 ? {} : { leavesInMs }) };
}

/** Nobody does, as far as anybody can tell: nothing leaves, and where hope is, it is let in. */
function stay(zone: DnsZone, zones: readonly DnsZone[], nowMs: WallMs): ZoneDecision {
  const published = zones.filter((one) => asItWas(one).length > 0);
  const isBeginning = published.length === 0;
  const isOnlyHope = zone.health === "unknown" && published.every(({ health }) => health === "bad");
  const addresses = isBeginning || isOnlyHope ? inNow(zone) : asItWas(zone);
  if (zone.health === "unknown") return remember(zone, addresses, zone.before?.badSinceMs);
  if (zone.health === "good") return remember(zone, addresses, undefined);
  const { badSinceMs, leavesInMs } = badness(zone, nowMs);
  const mayLeave = addresses.length > 0 && leavesInMs > 0;
  return { ...remember(zone, addresses, badSinceMs), ...(mayLeave ? { leavesInMs } : {}) };
}

function remember({ zone }: DnsZone, addresses: readonly string[], badSinceMs: WallMs | undefined): RecordedZoneDns {
  return { zone, memory: { addresses, badSinceMs } };
}

/** Of one whose address nobody can see, and of which nothing is remembered, nobody can tell whether it is in: what is published may be its own. */
function isTellable(zone: DnsZone | undefined): boolean {
  return zone?.before !== undefined || zone?.address.is !== "unseen";
}

function badness({ before }: DnsZone, nowMs: WallMs): { readonly badSinceMs: WallMs; readonly leavesInMs: number } {
  const badSinceMs = notAhead(before?.badSinceMs, nowMs) ?? nowMs;
  return { badSinceMs, leavesInMs: badSinceMs + dampingMs - nowMs };
}

/** Of one that is in: where it is now. An address that was taken from it leads to somebody else, one that nobody can see stays. */
function inNow(zone: DnsZone): readonly string[] {
  const { is, address } = zone.address;
  if (is === "unseen") return asItWas(zone);
  return address === undefined ? [] : [address];
}

/** In or out as before; and when in, where it is now, as far as anybody can tell. */
function asItWas({ address: { address }, before }: DnsZone): readonly string[] {
  const was = before?.addresses ?? [];
  return was.length === 0 || address === undefined ? was : [address];
}
