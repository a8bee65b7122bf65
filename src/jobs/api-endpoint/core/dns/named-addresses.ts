// For how long the DNS records have not named an address: resolvers may remember it for one TTL and the damping, so that whoever is sent there must
// still be served, and the address must not become somebody else's. The records are those that we publish, those that there should be, and
// those of a DNSEndpoint of our name that somebody else keeps, or took our mark from.
//
//   they name it                                           now
//   this process has seen them drop it                     since then
//   it or status remembers the balancer as leaving         since then
//   nothing says, and we publish the records               since this process began to look: it may have been dropped right before
//   nothing says, and others do                            now
//
// While Neutron is away and nobody remembers a balancer's address, any that is published may be its own.

import type { Moment, WallMs } from "../../../../core/clock-times.ts";
import type { BalancerObserved, EndpointObserved, NamedBefore, RecordedLeaving } from "../model/observed.ts";
import { notAhead } from "../model/recorded-time.ts";
import { publicAddress } from "../situation/public-address.ts";
import { publishesDns } from "../situation/published.ts";
import type { Situation } from "../situation/situation.ts";
import { recordTtlSeconds } from "./dns-endpoint.ts";
import { type DnsRecords, dampingMs } from "./dns-records.ts";

/** So long somebody may still be on the way to an address that no record names any more. */
export const lingerMs = recordTtlSeconds * 1_000 + dampingMs;

/** At the end of a round. */
export function rememberNamed(
  before: NamedBefore | undefined,
  { named, published, leaving = [] }: NamedReport,
  now: Moment,
): NamedBefore {
  const dropped = (before?.latest ?? []).map((address) => [address, now] as const);
  const outSince = new Map(
    [...(before?.outSince ?? []), ...dropped].filter(
      ([address, { monotonicMs }]) => !named.includes(address) && now.monotonicMs - monotonicMs < lingerMs,
    ),
  );
  const watchedSince = before?.watchedSince ?? now;
  const seen = [...(before?.leavingSince.values() ?? []), ...outSince.values(), watchedSince, now];
  const leavingSince = new Map(leaving.map(({ id, sinceMs }) => [id, momentOf(sinceMs, seen, now)]));
  const since = isSame(published, before?.published.addresses) ? before?.published.since : now;
  return {
    watchedSince,
    latest: named,
    published: { addresses: published, since: since ?? now },
    outSince,
    leavingSince,
  };
}

/** What this process has not seen itself, status told as it began: from now on that counts as if it had. */
function momentOf(recordedMs: WallMs, seen: readonly Moment[], now: Moment): Moment {
  const known = seen.find(({ nowMs }) => nowMs === recordedMs);
  const agoMs = now.nowMs - notAhead(recordedMs, now.nowMs);
  return known ?? { nowMs: recordedMs, monotonicMs: now.monotonicMs - agoMs };
}

/** What a round found. */
interface NamedReport {
  readonly named: readonly string[];
  readonly published: readonly string[];
  readonly leaving?: readonly RecordedLeaving[];
}

/** While nobody can tell which records there should be, nothing is known to have been dropped. */
export function namedNow({ observed, records }: Pick<Situation, "observed"> & { readonly records?: DnsRecords }) {
  const wanted = records?.addresses ?? observed.named?.latest ?? [];
  const { foreignDnsEndpoint: foreign } = observed.object;
  return [...new Set([...wanted, ...publishedNow(observed), ...(foreign?.addresses ?? [])])].toSorted();
}

/** By a DNSEndpoint of our name that we do not change. It holds up no deletion: if it was ours, it goes with the object, and else perhaps never. */
export function isNamedByOthers(address: string | undefined, { object, intent }: EndpointObserved): boolean {
  const { addresses = [] } = object.foreignDnsEndpoint ?? {};
  return address !== undefined && !intent.deleting && addresses.includes(address);
}

/** Whoever has its VIP is sent there by records that are still to be taken away, although nothing floating leads to it. */
export function isVipPublished({ balancer }: BalancerObserved, observed: EndpointObserved): boolean {
  return publishedNow(observed).includes(balancer.vipAddress);
}

/** By the DNSEndpoint that we keep. */
export function publishedNow({ object }: EndpointObserved): readonly string[] {
  return (object.dnsEndpoint?.addresses ?? []).toSorted();
}

export function isNamed(seen: BalancerObserved, situation: Situation): boolean {
  const named = namedNow(situation);
  const { is, address } = publicAddress(situation.observed, seen);
  return address === undefined ? is === "unseen" && named.length > 0 : named.includes(address);
}

/** For how long the records that we publish have been as they are; undefined while they are about to change, or nobody knows. */
export function publishedUnchanged({ observed, records }: Situation): Lasted | undefined {
  const published = publishedNow(observed);
  const before = observed.named?.published;
  const isAsWanted = records.addresses.length === 0 || isSame(records.addresses, published);
  return before !== undefined && isAsWanted && isSame(published, before.addresses)
    ? lastedSince(before.since, observed)
    : undefined;
}

function isSame(addresses: readonly string[], others: readonly string[] | undefined): boolean {
  return addresses.join(" ") === others?.join(" ");
}

export interface Lasted {
  /** For people, and for whoever has nothing but status. */
  readonly sinceMs: WallMs;
  /** For every decision. */
  readonly forMs: number;
}

/** For no time at all, while records name it. */
export function outOfRecords(seen: BalancerObserved, situation: Situation): Lasted {
  if (isNamed(seen, situation)) return outNow(situation);
  const { recorded, named } = situation.observed;
  const { address } = publicAddress(situation.observed, seen);
  const { id } = seen.balancer;
  const remembered = named?.leavingSince.get(id);
  const before = recorded.leaving?.find((one) => one.id === id);
  return (
    dropped(address, situation) ??
    (remembered && lastedSince(remembered, situation.observed)) ??
    (before && outSinceRecorded(before, situation)) ??
    outSinceWatched(situation)
  );
}

/** Somebody may be on the way to it. */
export function mayBeRemembered(seen: BalancerObserved, situation: Situation): boolean {
  const { address } = publicAddress(situation.observed, seen);
  const isKnown = publishesDns(situation.observed) || dropped(address, situation) !== undefined;
  return isKnown && outOfRecords(seen, situation).forMs < lingerMs;
}

/** The same of an address; undefined when nobody can be on the way to it, since nothing says that any record has named it. */
export function addressOutOfRecords(address: string, situation: Situation): Lasted | undefined {
  if (namedNow(situation).includes(address)) return outNow(situation);
  return dropped(address, situation) ?? (publishesDns(situation.observed) ? outSinceWatched(situation) : undefined);
}

function dropped(address: string | undefined, situation: Situation): Lasted | undefined {
  const { named } = situation.observed;
  if (address === undefined || named === undefined) return undefined;
  if (named.latest.includes(address)) return outNow(situation);
  const since = named.outSince.get(address);
  return since && lastedSince(since, situation.observed);
}

function outNow({ nowMs }: Situation): Lasted {
  return { sinceMs: nowMs, forMs: 0 };
}

function lastedSince({ nowMs, monotonicMs }: Moment, observed: EndpointObserved): Lasted {
  return { sinceMs: nowMs, forMs: observed.monotonicMs - monotonicMs };
}

/** By whoever led then. */
function outSinceRecorded({ sinceMs: recordedMs }: RecordedLeaving, { nowMs }: Situation): Lasted {
  const sinceMs = notAhead(recordedMs, nowMs);
  return { sinceMs, forMs: nowMs - sinceMs };
}

function outSinceWatched(situation: Situation): Lasted {
  const { named } = situation.observed;
  return publishesDns(situation.observed) && named !== undefined
    ? lastedSince(named.watchedSince, situation.observed)
    : outNow(situation);
}
