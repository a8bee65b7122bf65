// Which addresses the endpoint's DNS name should have now: those of the zones with healthy members. One function for the command
// line and for the controller; its memory (RecordedDns) lies in status beside each zone's balancer, so that it outlives a restart.
//
//   a zone is observed                         its records
//   healthy                                    in, at once; as they were while nobody can tell its address
//   unknown                                    as they were
//   bad for the first time, or for < 15 s      as they were
//   bad again 15 s later or more               out, while another is seen to serve; else all stay as they were
//   bad, and nothing was ever published        in: a name that resolves to nothing helps nobody while a cluster begins
//
// While no zone is seen to be good, and for more than a moment, balancers that are on their way out and still serve stand in, so that a
// move never leads clients to nobody.

import type { RecordedDns } from "../model/observed.ts";
import type { Health } from "../situation/health.ts";
import type { PublicAddress } from "../situation/public-address.ts";

export interface DnsZone {
  /** Empty for the single balancer. */
  readonly zone: string;
  readonly address: PublicAddress;
  readonly health: Health;
  /** Somebody healthy stands behind it who is not about to leave. */
  readonly lasts: boolean;
  readonly before: RecordedDns | undefined;
}

export interface DnsDecision {
  readonly zone: string;
  readonly memory: RecordedDns;
}

export interface DnsRecords {
  /** Of those: addresses of balancers that stand in. */
  readonly standIns: readonly string[];
  /** Sorted, each once. */
  readonly addresses: readonly string[];
  readonly zones: readonly DnsDecision[];
  /** Until a zone that looks bad may leave; undefined when none is about to. */
  readonly recheckAfterMs: number | undefined;
}

/** A zone that looks bad stays in the records for so long. */
export const dampingMs = 15_000;

/** `leaving`: addresses of balancers that serve and play no part any more. */
export function dnsRecords(zones: readonly DnsZone[], nowMs: number, leaving: readonly string[] = []): DnsRecords {
  const before = zones.flatMap((zone) => zone.before?.addresses ?? []);
  const byHealth = zones.map((zone) => decideByHealth(zone, nowMs));
  const standIns = zones.length === 0 || zones.some(holds) ? [] : leaving;
  const isSomebody = standIns.length > 0 || zones.some((zone) => zone.health === "good" && inNow(zone).length > 0);
  const decided = isSomebody ? byHealth : zones.map((zone, index) => fallBack(zone, byHealth[index], before));
  const delays = byHealth.flatMap(({ leavesInMs }) => leavesInMs ?? []);
  return {
    standIns,
    addresses: [...new Set([...decided.flatMap(({ memory }) => memory.addresses), ...standIns])].toSorted(),
    zones: decided.map(({ zone, memory }) => ({ zone, memory })),
    recheckAfterMs: delays.length === 0 ? undefined : Math.min(...delays),
  };
}

/** It is seen to serve, for more than a moment, where people are sent to: nobody need stand in. */
function holds(zone: DnsZone): boolean {
  return zone.health === "good" && zone.lasts && inNow(zone).length > 0;
}

interface HealthDecision extends DnsDecision {
  readonly leavesInMs?: number;
}

function decideByHealth(zone: DnsZone, nowMs: number): HealthDecision {
  const remember = (addresses: readonly string[], badSinceMs: number | undefined) => ({
    zone: zone.zone,
    memory: { addresses, badSinceMs },
  });
  const { health, before } = zone;
  if (health === "good") return remember(inNow(zone), undefined);
  if (health === "unknown") return remember(asItWas(zone), before?.badSinceMs);
  const badSinceMs = before?.badSinceMs ?? nowMs;
  const leavesInMs = badSinceMs + dampingMs - nowMs;
  if (leavesInMs <= 0) return remember([], badSinceMs);
  const kept = asItWas(zone);
  return { ...remember(kept, badSinceMs), ...(kept.length === 0 ? {} : { leavesInMs }) };
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

/** Nobody is seen to serve: what was there stays; and where nothing ever was, everything that has an address begins. */
function fallBack(zone: DnsZone, byHealth: HealthDecision | undefined, published: readonly string[]): DnsDecision {
  const addresses = published.length === 0 ? inNow(zone) : asItWas(zone);
  return { zone: zone.zone, memory: { addresses, badSinceMs: byHealth?.memory.badSinceMs } };
}
