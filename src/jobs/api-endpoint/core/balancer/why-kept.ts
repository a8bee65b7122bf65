// Why what is in ERROR is not taken away to be made again: people may depend on it.

import type { BalancerObserved } from "../model/observed.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { mayBeInUse, mayLetIn } from "../situation/in-use.ts";
import { recordedOf } from "../situation/places.ts";
import { otherWays, type Situation } from "../situation/situation.ts";

/** In words; undefined when it may go. */
export function whyKept(seen: BalancerObserved, situation: Situation): string | undefined {
  const { intent, observed } = situation;
  const { id } = seen.balancer;
  if (intent.consents.repair || (!observed.object.provisioned && !mayBeInUse(seen, observed))) return undefined;
  const away = situation.assignment.wanted.find((other) => other.seen?.balancer.id !== id && isAway(other, situation));
  if (away !== undefined) return `${away.name} is being made again, and two do not go at a time`;
  return otherWays(situation, id).length > 0 ? undefined : "no other way in is healthy";
}

/** It was there, and nobody gets in through it until it is made again. */
function isAway({ role, zone, seen }: WantedBalancer, { observed }: Situation): boolean {
  if (role === "fallback" || recordedOf(observed, zone)?.internalAddress === undefined) return false;
  if (seen === undefined) return true;
  const { provisioningStatus } = seen.balancer;
  return provisioningStatus === "ERROR" ? !mayLetIn(seen) : /^PENDING_(CREATE|DELETE)$/.test(provisioningStatus);
}
