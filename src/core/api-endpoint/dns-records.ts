// Which addresses the endpoint's DNS name should have now: those of the zones with healthy members. One function for the command
// line and for the controller; its memory (RecordedDns) lies in status beside each zone's balancer, so that it outlives a restart.
//
//   a look at a zone                           its records
//   healthy                                    in, at once
//   unknown                                    as they were
//   bad for the first time, or for < 15 s      as they were
//   bad again 15 s later or more               out, unless none would be left: then all stay as they were
//   bad, and nothing was ever published        in: a name that resolves to nothing helps nobody while a cluster begins
//
// While no zone is good, balancers that are on their way out and still serve stand in, so that a move never leads clients to nobody.

import type { RecordedDns } from "./observed.ts";

export type DnsHealth = "good" | "bad" | "unknown";

export interface DnsZone {
  /** Empty for the single balancer. */
  readonly zone: string;
  /** Absent while it has none. */
  readonly address: string | undefined;
  readonly health: DnsHealth;
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
  const judged = zones.map((zone) => judge(zone, nowMs));
  const proposed = judged.flatMap(({ memory }) => memory.addresses);
  const standIns = zones.length === 0 || zones.some(holds) ? [] : leaving;
  const isSomebody = proposed.length > 0 || standIns.length > 0;
  const decided = isSomebody ? judged : zones.map((zone, index) => fallBack(zone, judged[index], before));
  const delays = judged.flatMap(({ leavesInMs }) => leavesInMs ?? []);
  return {
    standIns,
    addresses: [...new Set([...decided.flatMap(({ memory }) => memory.addresses), ...standIns])].toSorted(),
    zones: decided.map(({ zone, memory }) => ({ zone, memory })),
    recheckAfterMs: delays.length === 0 ? undefined : Math.min(...delays),
  };
}

/** It serves, or did when it was last seen. */
function holds({ health, before }: DnsZone): boolean {
  return health === "good" || (health === "unknown" && (before?.addresses.length ?? 0) > 0);
}

interface Judged extends DnsDecision {
  readonly leavesInMs?: number;
}

function judge({ zone, address, health, before }: DnsZone, nowMs: number): Judged {
  const current = address === undefined ? [] : [address];
  const kept = (before?.addresses.length ?? 0) > 0 ? (address === undefined ? (before?.addresses ?? []) : current) : [];
  if (health === "good") return { zone, memory: { addresses: current, badSinceMs: undefined } };
  if (health === "unknown") return { zone, memory: { addresses: kept, badSinceMs: before?.badSinceMs } };
  const badSinceMs = before?.badSinceMs ?? nowMs;
  const leavesInMs = badSinceMs + dampingMs - nowMs;
  if (leavesInMs <= 0) return { zone, memory: { addresses: [], badSinceMs } };
  return { zone, memory: { addresses: kept, badSinceMs }, ...(kept.length === 0 ? {} : { leavesInMs }) };
}

/** Nothing would be left: what was there stays; and where nothing ever was, everything that has an address begins. */
function fallBack(zone: DnsZone, judged: Judged | undefined, published: readonly string[]): DnsDecision {
  const current = zone.address === undefined ? [] : [zone.address];
  const wasIn = (zone.before?.addresses.length ?? 0) > 0;
  const addresses =
    published.length === 0 || wasIn ? (current.length > 0 ? current : (zone.before?.addresses ?? [])) : [];
  return { zone: zone.zone, memory: { addresses, badSinceMs: judged?.memory.badSinceMs } };
}
