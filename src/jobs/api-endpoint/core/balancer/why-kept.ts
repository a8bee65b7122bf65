// Why what is in ERROR is not taken down now, to be failed over or made again: people may depend on it. In this order:
//
//   it                                                   is taken down
//   was never ready and is not in use                    at once
//   may let people in, and another one is away           not, whoever agreed: two are not down at a time (away.ts)
//   the same, and that one may never have been there     only where more others serve than are missing: one of those may have been
//                                                        taken down before a status was lost
//   has somebody's consent                               yes, whether anybody else serves or not
//   is one of several ways in, and another serves        yes
//   else                                                 not, until somebody agrees
//
// A zone that cannot be made is no reason for ever: it can be taken out of the mapping.

import { repairAnnotation } from "../../apis/annotations.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { mayBeInUse, mayLetIn } from "../situation/in-use.ts";
import { otherWays, type Situation } from "../situation/situation.ts";
import { awayness } from "./away.ts";

/** In words, with what to do about it; undefined when it may go. */
export function whyKept(seen: BalancerObserved, situation: Situation): string | undefined {
  const { intent, observed } = situation;
  if (!observed.object.provisioned && !mayBeInUse(seen, observed)) return undefined;
  const away = mayLetIn(seen) ? whomItWaitsFor(seen, situation) : undefined;
  if (away !== undefined) return away;
  return intent.consents.repair || servesElsewhere(seen, situation)
    ? undefined
    : `no other way in is healthy; annotate ${repairAnnotation}=true to agree`;
}

/** It may go because somebody agreed, and else it would stay. */
export function goesByConsent(seen: BalancerObserved, situation: Situation): boolean {
  const { intent, observed } = situation;
  if (!intent.consents.repair || (!observed.object.provisioned && !mayBeInUse(seen, observed))) return false;
  return !servesElsewhere(seen, situation);
}

function servesElsewhere({ balancer }: BalancerObserved, situation: Situation): boolean {
  return otherWays(situation, balancer.id).length > 0;
}

function whomItWaitsFor(seen: BalancerObserved, situation: Situation): string | undefined {
  const others = situation.assignment.wanted
    .filter((other) => other.role !== "fallback" && other.seen?.balancer.id !== seen.balancer.id)
    .map(({ name, ...other }) => ({ name, away: awayness({ name, ...other }, seen, situation) }));
  const away = others.find((other) => other.away === "yes");
  if (away !== undefined) return `${away.name} is being made again, and two do not go at a time`;
  const unmade = others.filter((other) => other.away === "perhaps");
  if (unmade.length < Math.max(1, otherWays(situation, seen.balancer.id).length)) return undefined;
  const names = unmade.map(({ name }) => name).join(", ");
  return `${names} is not there, and two do not go at a time; if it cannot be made, take its zone out of the mapping`;
}
