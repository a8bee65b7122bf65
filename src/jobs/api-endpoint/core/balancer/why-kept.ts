// Why what is in ERROR is not taken down now, to be failed over or made again: people may depend on it. In this order:
//
//   it                                                   is taken down
//   was never ready and is not in use                    at once
//   may let people in, and another one is away           not, whoever agreed: two are not down at a time (away.ts)
//   the same, and that one may never have been there     only where more others serve than are missing: one of those may have been
//                                                        taken down before a status was lost
//   has somebody's consent                               yes, whether anybody else serves or not
//   is the only way in                                   not, until somebody agrees
//   may let people in, and nobody answers behind another not, until somebody agrees: two are not down at a time
//   is in our DNS records, and no other that serves      not, until another is, or somebody agrees (published.ts)
//   else                                                 yes
//
// A zone that cannot be made is no reason for ever: it can be taken out of the mapping.

import { repairAnnotation } from "../../apis/annotations.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { mayBeInUse, mayLetIn } from "../situation/in-use.ts";
import { isPublished, otherPublishedWays } from "../situation/published.ts";
import { otherWays, type Situation } from "../situation/situation.ts";
import { type Away, awayness } from "./away.ts";

/** In words, with what to do about it; undefined when it may go. */
export function whyKept(seen: BalancerObserved, situation: Situation): string | undefined {
  if (!isDependedOn(seen, situation)) return undefined;
  const others = othersAway(seen, situation);
  const away = whomItWaitsFor(seen, others, situation);
  return away ?? (situation.intent.consents.repair ? undefined : whyByConsent(seen, others, situation));
}

/** It may go because somebody agreed, and else it would stay. */
export function goesByConsent(seen: BalancerObserved, situation: Situation): boolean {
  if (!situation.intent.consents.repair || !isDependedOn(seen, situation)) return false;
  return whyByConsent(seen, othersAway(seen, situation), situation) !== undefined;
}

function isDependedOn(seen: BalancerObserved, { observed }: Situation): boolean {
  return observed.object.provisioned || mayBeInUse(seen, observed);
}

/** Why it takes somebody's consent; undefined when it does not. */
function whyByConsent(
  seen: BalancerObserved,
  others: readonly OtherBalancer[],
  situation: Situation,
): string | undefined {
  if (otherWays(situation, seen.balancer.id).length === 0) return `no other way in is healthy; ${howToAgree}`;
  const dead = others.find(({ away }) => away === "dead");
  if (dead !== undefined) return `nobody answers behind ${dead.name}, and two do not go at a time; ${howToAgree}`;
  return servesElsewhere(seen, situation) ? undefined : `no other way in is in the DNS records; ${howToAgree}`;
}

const howToAgree = `annotate ${repairAnnotation}=true to agree`;

/** Where we send people to it by DNS, they have to be sent to another one by then. */
function servesElsewhere(seen: BalancerObserved, situation: Situation): boolean {
  const others = isPublished(seen, situation.observed)
    ? otherPublishedWays(seen, situation)
    : otherWays(situation, seen.balancer.id);
  return others.length > 0;
}

interface OtherBalancer {
  readonly name: string;
  readonly away: Away;
}

/** None matters to one that lets nobody in. */
function othersAway(seen: BalancerObserved, situation: Situation): readonly OtherBalancer[] {
  if (!mayLetIn(seen)) return [];
  return situation.assignment.wanted
    .filter((other) => other.role !== "fallback" && other.seen?.balancer.id !== seen.balancer.id)
    .map((other) => ({ name: other.name, away: awayness(other, seen, situation) }));
}

/** Whoever agreed. */
function whomItWaitsFor(
  seen: BalancerObserved,
  others: readonly OtherBalancer[],
  situation: Situation,
): string | undefined {
  const away = others.find((other) => other.away === "yes");
  if (away !== undefined) return `${away.name} is being made again, and two do not go at a time`;
  const fresh = others.find((other) => other.away === "new");
  if (fresh !== undefined)
    return `nobody answers behind ${fresh.name}, which was made minutes ago, and two do not go at a time`;
  const unmade = others.filter((other) => other.away === "perhaps");
  if (unmade.length < Math.max(1, otherWays(situation, seen.balancer.id).length)) return undefined;
  const names = unmade.map(({ name }) => name).join(", ");
  return `${names} is not there, and two do not go at a time; if it cannot be made, take its zone out of the mapping`;
}
