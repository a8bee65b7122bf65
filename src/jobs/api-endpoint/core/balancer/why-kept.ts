// Why what is in ERROR is not taken down now, to be failed over or made again: people may depend on it. In this order:
//
//   it                                                   is taken down
//   was never ready and is not in use                    at once
//   may let people in, and another one is away           not, whoever agreed: two are not down at a time (away.ts)
//   the same, and that one may never have been there     only where more others serve than are missing: one of those may have been
//                                                        taken down before a status was lost
//   may let people in, and another may be away for ever  not, until somebody agrees for this zone: two are not down at a time
//   is the only way in                                   not, until somebody agrees
//   may let people in, and nobody answers behind another not, until somebody agrees
//   is in our DNS records, and no other that serves      not, until another is, or somebody agrees (published.ts)
//   else                                                 yes
//
// A zone that cannot be made is no reason for ever: it can be taken out of the mapping.

import type { BalancerObserved } from "../model/observed.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { mayBeInUse, mayLetIn } from "../situation/in-use.ts";
import { isPublished, otherPublishedWays } from "../situation/published.ts";
import { otherWays, type Situation } from "../situation/situation.ts";
import { type Awayness, awayness } from "./away.ts";
import { howToAgree, howToName, repairConsent } from "./repair-consent.ts";

/** In words, with what to do about it; undefined when it may go. */
export function whyKept(wanted: WantedBalancer, seen: BalancerObserved, situation: Situation): string | undefined {
  if (!isDependedOn(seen, situation)) return undefined;
  const others = othersAway(seen, situation);
  const away = whomItWaitsFor(wanted, seen, others, situation);
  const consent = repairConsent(wanted, situation);
  if (away !== undefined || consent === "regardless") return away;
  return whyByName(wanted, others) ?? (consent === "in-turn" ? undefined : whyByConsent(seen, others, situation));
}

/** It may go because somebody agreed, and else it would stay. */
export function goesByConsent(wanted: WantedBalancer, seen: BalancerObserved, situation: Situation): boolean {
  if (repairConsent(wanted, situation) === "none" || !isDependedOn(seen, situation)) return false;
  const others = othersAway(seen, situation);
  return (whyByName(wanted, others) ?? whyByConsent(seen, others, situation)) !== undefined;
}

export function isDependedOn(seen: BalancerObserved, { observed }: Situation): boolean {
  return observed.object.provisioned || mayBeInUse(seen, observed);
}

/** Why its zone has to be named; undefined when it does not. */
function whyByName(wanted: WantedBalancer, others: readonly OtherBalancer[]): string | undefined {
  const lasting = others.filter(({ away }) => away === "name");
  return lasting.length === 0 ? undefined : `${twoAtATime(lasting)}; ${howToName(wanted)}`;
}

/** Why it takes somebody's consent; undefined when it does not. */
function whyByConsent(
  seen: BalancerObserved,
  others: readonly OtherBalancer[],
  situation: Situation,
): string | undefined {
  if (otherWays(situation, seen.balancer.id).length === 0) return `no other way in is healthy; ${howToAgree}`;
  const dead = others.filter(({ away }) => away === "ask");
  if (dead.length > 0) return `${twoAtATime(dead)}; ${howToAgree}`;
  return servesElsewhere(seen, situation) ? undefined : `no other way in is in the DNS records; ${howToAgree}`;
}

function twoAtATime(away: readonly OtherBalancer[]): string {
  return `${away.map(({ why }) => why).join("; ")}, and only one is taken down at a time`;
}

/** Where we send people to it by DNS, they have to be sent to another one by then. */
function servesElsewhere(seen: BalancerObserved, situation: Situation): boolean {
  const others = isPublished(seen, situation.observed)
    ? otherPublishedWays(seen, situation)
    : otherWays(situation, seen.balancer.id);
  return others.length > 0;
}

interface OtherBalancer extends Awayness {
  readonly name: string;
}

/** None matters to one that lets nobody in. */
function othersAway(seen: BalancerObserved, situation: Situation): readonly OtherBalancer[] {
  if (!mayLetIn(seen)) return [];
  return situation.assignment.wanted
    .filter((other) => other.role !== "fallback" && other.seen?.balancer.id !== seen.balancer.id)
    .map((other) => ({ name: other.name, ...awayness(other, seen, situation) }));
}

/** Whoever agreed. */
function whomItWaitsFor(
  wanted: WantedBalancer,
  seen: BalancerObserved,
  others: readonly OtherBalancer[],
  situation: Situation,
): string | undefined {
  const away = others.filter((other) => other.away === "yes");
  const isNamed = wanted.zone !== undefined && repairConsent(wanted, situation) === "regardless";
  const agreed = isNamed ? `; agreed for ${wanted.zone}: ` : "";
  if (away.length > 0) {
    const waits = twoAtATime([...away, ...others.filter((other) => other.away === "name")]);
    return isNamed ? `${waits}${agreed}${whenItCounts(away, situation)}` : waits;
  }
  const unmade = others.filter((other) => other.away === "perhaps");
  if (unmade.length < Math.max(1, otherWays(situation, seen.balancer.id).length)) return undefined;
  const names = unmade.map(({ name }) => name).join(", ");
  return `${names} is not there, and only one is taken down at a time; if it cannot be made, take its zone out of the mapping${isNamed ? `${agreed}that counts then` : ""}`;
}

/** A consent for this zone, in words that stay the same: of clocks that differ by seconds, all have the same minute to come. */
function whenItCounts(away: readonly OtherBalancer[], { nowMs }: Situation): string {
  const names = away.map(({ name }) => name).join(", ");
  const back = `when ${names} ${away.length === 1 ? "is" : "are"} back`;
  const inMs = Math.max(...away.map(({ namedInMs = Number.POSITIVE_INFINITY }) => namedInMs));
  if (inMs === Number.POSITIVE_INFINITY) return `it goes ${back}`;
  const at = new Date(Math.ceil((nowMs + inMs) / 60_000) * 60_000).toISOString();
  return `it goes at ${at}, or before that ${back}`;
}
