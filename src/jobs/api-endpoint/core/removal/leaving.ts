// A balancer that is to go is taken out of the DNS records first, and serves on until no resolver can remember it (dns/named-addresses.ts). So does
// one in ERROR that is to be repaired, or whose API port stands on such a part, where another serves that is published, too. And one that has left
// the records waits out its time whatever becomes of the others meanwhile. Where nobody else serves, and somebody agreed to its repair, it goes
// when resolvers know all that are named: some may know no other than this one, or still know it after it had left and was put back.

import { formatRef } from "../../../../apis/kube/kube-object.ts";
import type { Wait } from "../../../../core/plan.ts";
import {
  isNamed,
  isNamedByOthers,
  isVipPublished,
  type Lasted,
  lingerMs,
  mayBeRemembered,
  outOfRecords,
  publishedUnchanged,
} from "../dns/named-addresses.ts";
import { unreadWait } from "../dns/records-unread.ts";
import type { BalancerObserved, EndpointObserved, RecordedLeaving } from "../model/observed.ts";
import { type ExistingBalancer, existingBalancers, type UnwantedBalancer } from "../situation/assignment.ts";
import type { BrokenPart } from "../situation/broken-parts.ts";
import { servesAnybody } from "../situation/health.ts";
import { mayBeInUse, mayLetIn } from "../situation/in-use.ts";
import { isBroken, leavesInError } from "../situation/leaves-in-error.ts";
import { publicAddress } from "../situation/public-address.ts";
import { publishesDns } from "../situation/published.ts";
import { otherWays, type Situation } from "../situation/situation.ts";

/** What status remembers of them: those that nobody is sent to any more. */
export function leavingBalancers(situation: Situation): readonly RecordedLeaving[] {
  const { assignment, kept } = situation;
  const unwanted = assignment.unwanted.filter(
    (one) => one.seen.balancer.id !== kept?.seen.balancer.id && lingers(one, situation),
  );
  const rebuilt = existingBalancers(assignment).filter(
    (one) => leavesInError(one, situation) || (isBroken(one.seen, situation) && isStillExpected(one.seen, situation)),
  );
  return [...unwanted, ...rebuilt]
    .filter(({ seen }) => !isNamed(seen, situation))
    .map(({ seen }) => {
      const { id, name } = seen.balancer;
      return { id, name, sinceMs: outOfRecords(seen, situation).sinceMs };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Undefined when nobody can be on their way to it any more. */
export function lingeringWait(unwanted: UnwantedBalancer, situation: Situation): Wait | undefined {
  if (!lingers(unwanted, situation)) return undefined;
  return waitUntilForgotten(unwanted, situation, {
    reason: "LoadBalancerLeaving",
    named: `it goes when ${whenForgotten(publicAddress(situation.observed, unwanted.seen).address, situation)}`,
    out: (until) => `out of the DNS records, and it serves those who still remember it until ${until}`,
  });
}

/** Of an address that records name: in words. A cluster that goes takes its records with it, and nobody is waited for who remembers them. */
export function whenForgotten(address: string | undefined, { intent, observed }: Situation): string {
  if (intent.deleting) return "the DNSEndpoint no longer names it";
  const forgotten = `the DNS records have not named it for ${lingerMs / 1_000} s`;
  if (!isNamedByOthers(address, observed)) return forgotten;
  return `${forgotten}: DNSEndpoint ${formatRef(intent.object)} does, which does not bear our mark and is left alone; take ${address} out of it`;
}

/** What becomes of one in ERROR, as it is announced. Before the cloud was asked once, nobody knows whether it allows a failover. */
export type Repaired = "failed over (or rebuilt, if the cloud allows no failover)" | "rebuilt";

/** Before one in ERROR is taken down; undefined when nobody can be on their way to it, or nobody else would serve them. */
export function repairWait(wanted: ExistingBalancer, situation: Situation, repaired: Repaired): Wait | undefined {
  return waitBeforeRepair(wanted, situation, {
    reason: "LoadBalancerInError",
    named: `in ERROR; it is ${repaired} when the DNS records have not named it for ${lingerMs / 1_000} s`,
    out: (until) =>
      `in ERROR and out of the DNS records; it is ${repaired} at ${until}, when resolvers no longer return it`,
    alone: (when) => `in ERROR, and no other that serves is in the DNS records; it is ${repaired} ${when}`,
  });
}

/** The same before a part of its API port is. */
export function partWait(wanted: ExistingBalancer, part: BrokenPart, situation: Situation): Wait | undefined {
  const broken = `${part.action.removes}: ${part.state}`;
  return waitBeforeRepair(wanted, situation, {
    reason: "LoadBalancerInError",
    named: `${broken}; it is made again when the DNS records have not named the balancer for ${lingerMs / 1_000} s`,
    out: (until) => `${broken}; the balancer is out of the DNS records, and it is made again at ${until}`,
    alone: (when) => `${broken}, and no other that serves is in the DNS records; it is made again ${when}`,
  });
}

interface LeavingWords {
  readonly reason: Wait["reason"];
  /** While records name it. */
  readonly named: string;
  /** While some may remember that they did. */
  readonly out: (until: string) => string;
}

interface RepairWords extends LeavingWords {
  /** While they name it, and no other that serves. */
  readonly alone: (when: string) => string;
}

function waitBeforeRepair(wanted: ExistingBalancer, situation: Situation, words: RepairWords): Wait | undefined {
  const { seen, lane } = wanted;
  const mayMiss = mayLetIn(seen) && !neverBegan(seen, situation.observed);
  // It comes back with its addresses: where others keep the records, nobody waits for what they say.
  const unread = publishesDns(situation.observed)
    ? unreadWait(seen.balancer.name, lane, situation.observed)
    : undefined;
  if (mayMiss && unread !== undefined) return unread;
  if (leavesBeforeRepair(wanted, situation)) return waitUntilForgotten(wanted, situation, words);
  if (!mayMiss || !publishesDns(situation.observed) || !isNamed(seen, situation)) return undefined;
  const unchanged = publishedUnchanged(situation);
  const { reason, alone } = words;
  if (unchanged !== undefined) return timedWait(wanted, unchanged, reason, (until) => alone(`at ${until}`));
  const message = `${seen.balancer.name}: ${alone(`when they have been the same for ${lingerMs / 1_000} s`)}`;
  return { reason, lane, message, recheckAfterMs: lingerMs };
}

function waitUntilForgotten(
  one: ExistingBalancer | UnwantedBalancer,
  situation: Situation,
  { reason, named, out }: LeavingWords,
): Wait | undefined {
  const { seen, lane } = one;
  if (isNamed(seen, situation))
    return { reason, lane, message: `${seen.balancer.name}: ${named}`, recheckAfterMs: lingerMs };
  return timedWait(one, outOfRecords(seen, situation), reason, out);
}

function timedWait(
  { seen, lane }: ExistingBalancer | UnwantedBalancer,
  { sinceMs, forMs }: Lasted,
  reason: Wait["reason"],
  words: (until: string) => string,
): Wait | undefined {
  if (forMs >= lingerMs) return undefined;
  const message = `${seen.balancer.name}: ${words(new Date(sinceMs + lingerMs).toISOString())}`;
  return { reason, lane, message, recheckAfterMs: lingerMs - forMs };
}

/** Nobody can miss a cluster that never began, or one that goes, but its VIP is somebody else's afterwards; nor one that no record has named for long and that serves nobody, or is a duplicate of the one they name. */
function lingers({ seen, because }: UnwantedBalancer, situation: Situation): boolean {
  const { intent, observed } = situation;
  if (intent.deleting) return isVipPublished(seen, observed);
  if (neverBegan(seen, observed)) return false;
  if (isNamed(seen, situation) || mayBeRemembered(seen, situation)) return true;
  return because !== "LoadBalancerDuplicate" && servesAnybody(seen, intent.apiPort, observed);
}

function neverBegan(seen: BalancerObserved, observed: EndpointObserved): boolean {
  return !observed.object.provisioned && !mayBeInUse(seen, observed);
}

/** Where it is still named and nobody else would serve, it stays so whatever becomes of it. */
function leavesBeforeRepair(wanted: ExistingBalancer, situation: Situation): boolean {
  if (isNamed(wanted.seen, situation))
    return leavesInError(wanted, situation) || isReplacedSoon(wanted.seen, situation);
  return mayLetIn(wanted.seen) && isStillExpected(wanted.seen, situation);
}

/** By people whom we sent there. What comes back with its address is not waited for where others publish. */
function isStillExpected(seen: BalancerObserved, situation: Situation): boolean {
  return publishesDns(situation.observed) && mayBeRemembered(seen, situation);
}

/** Another one that serves is about to be published by us. */
function isReplacedSoon({ balancer }: BalancerObserved, situation: Situation): boolean {
  const { observed, records } = situation;
  const balancers = observed.balancers.known ? observed.balancers.value : [];
  const named = balancers.filter((other) => records.addresses.includes(publicAddress(observed, other).address ?? ""));
  const others = otherWays(situation, balancer.id);
  return publishesDns(observed) && named.some((other) => others.some((way) => way.balancerId === other.balancer.id));
}
