// A balancer that is to go is taken out of the DNS records first, and serves on until no resolver can remember it: for one TTL and the
// damping of the records. So does one in ERROR that is to be repaired, or whose API port stands on such a part, where another serves that is
// published, too. Since when each has been out of them stands in status, so that a restart begins no wait anew that it need not; what is
// lost with the status only makes a wait longer.

import type { Wait } from "../../../../core/plan.ts";
import { recordTtlSeconds } from "../dns/dns-endpoint.ts";
import { dampingMs } from "../dns/dns-records.ts";
import type { BalancerObserved, RecordedLeaving } from "../model/observed.ts";
import { notAhead } from "../model/recorded-time.ts";
import { type ExistingBalancer, existingBalancers, type UnwantedBalancer } from "../situation/assignment.ts";
import type { BrokenPart } from "../situation/broken-parts.ts";
import { servesAnybody } from "../situation/health.ts";
import { leavesInError } from "../situation/leaves-in-error.ts";
import { publicAddress } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";

/** So long a balancer that no record names any more still serves. */
export const lingerMs = recordTtlSeconds * 1_000 + dampingMs;

/** What status remembers of them: those that nobody is sent to any more. */
export function leavingBalancers(situation: Situation): readonly RecordedLeaving[] {
  const { assignment, kept } = situation;
  const unwanted = assignment.unwanted.filter(
    (one) => one.seen.balancer.id !== kept?.seen.balancer.id && lingers(one, situation),
  );
  const rebuilt = existingBalancers(assignment).filter((one) => leavesInError(one, situation));
  return [...unwanted, ...rebuilt]
    .filter(({ seen }) => !isNamed(seen, situation))
    .map(({ seen }) => ({ id: seen.balancer.id, name: seen.balancer.name, sinceMs: outSinceMs(seen, situation) }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Undefined when nobody can be on their way to it any more. */
export function lingeringWait(unwanted: UnwantedBalancer, situation: Situation): Wait | undefined {
  if (!lingers(unwanted, situation)) return undefined;
  return waitUntilForgotten(unwanted, situation, {
    reason: "LoadBalancerLeaving",
    named: `it goes when the DNS records have not named it for ${lingerMs / 1_000} s`,
    out: (until) => `out of the DNS records, and it serves those who still remember it until ${until}`,
  });
}

/** Before one in ERROR is taken down; undefined when nobody can be on their way to it, or nobody else would serve them. */
export function repairWait(
  wanted: ExistingBalancer,
  situation: Situation,
  repaired: "failed over" | "rebuilt",
): Wait | undefined {
  if (!leavesInError(wanted, situation)) return undefined;
  return waitUntilForgotten(wanted, situation, {
    reason: "LoadBalancerInError",
    named: `in ERROR; it is ${repaired} when the DNS records have not named it for ${lingerMs / 1_000} s`,
    out: (until) => `in ERROR and out of the DNS records; it is ${repaired} at ${until}, when nobody remembers it`,
  });
}

/** The same before a part of its API port is. */
export function partWait(wanted: ExistingBalancer, part: BrokenPart, situation: Situation): Wait | undefined {
  if (!leavesInError(wanted, situation)) return undefined;
  const broken = `${part.action.removes}: ${part.state}`;
  return waitUntilForgotten(wanted, situation, {
    reason: "LoadBalancerInError",
    named: `${broken}; it is made again when the DNS records have not named the balancer for ${lingerMs / 1_000} s`,
    out: (until) => `${broken}; the balancer is out of the DNS records, and it is made again at ${until}`,
  });
}

interface LeavingWords {
  readonly reason: Wait["reason"];
  /** While records name it. */
  readonly named: string;
  /** While some may remember that they did. */
  readonly out: (until: string) => string;
}

function waitUntilForgotten(
  { seen, lane }: ExistingBalancer | UnwantedBalancer,
  situation: Situation,
  { reason, named, out }: LeavingWords,
): Wait | undefined {
  const { name } = seen.balancer;
  if (isNamed(seen, situation)) return { reason, lane, message: `${name}: ${named}`, recheckAfterMs: lingerMs };
  const goesMs = outSinceMs(seen, situation) + lingerMs;
  if (goesMs <= situation.nowMs) return undefined;
  const message = `${name}: ${out(new Date(goesMs).toISOString())}`;
  return { reason, lane, message, recheckAfterMs: goesMs - situation.nowMs };
}

/** Nobody can miss a duplicate, which was never in the records, one that serves nobody, or a cluster that goes. */
function lingers({ seen, because }: UnwantedBalancer, { intent, observed }: Situation): boolean {
  if (intent.deleting || because === "LoadBalancerDuplicate") return false;
  return servesAnybody(seen, intent.apiPort, observed);
}

/** By the records as they should be, or as they are published still. */
function isNamed(seen: BalancerObserved, situation: Situation): boolean {
  const { observed } = situation;
  const { address } = publicAddress(observed, seen);
  if (address === undefined) return false;
  return [...situation.records.addresses, ...(observed.object.dnsEndpoint?.addresses ?? [])].includes(address);
}

function outSinceMs({ balancer }: BalancerObserved, { observed, nowMs }: Situation): number {
  const before = observed.recorded.leaving?.find(({ id }) => id === balancer.id)?.sinceMs;
  return notAhead(before, nowMs) ?? nowMs;
}
