// Whether a balancer in ERROR, or one whose API port stands on a part that is to be made again, should leave the records that we publish, although
// it may serve: it is about to be taken down, and people are sent to another one that is known to serve. Where nobody else is, it stays,
// whatever becomes of it.

import type { BalancerObserved } from "../model/observed.ts";
import type { WantedBalancer } from "./assignment.ts";
import { brokenParts, isOnApiPort } from "./broken-parts.ts";
import { mayLetIn } from "./in-use.ts";
import { otherPublishedWays } from "./published.ts";
import type { Situation } from "./situation.ts";

type Facts = Pick<Situation, "observed" | "intent" | "ways" | "ownerId" | "ports">;

export function leavesInError({ seen }: WantedBalancer, situation: Facts): boolean {
  return seen !== undefined && isBroken(seen, situation) && otherPublishedWays(seen, situation).length > 0;
}

/** It has to be taken down to be whole again, and may serve until then. */
export function isBroken(seen: BalancerObserved, situation: Facts): boolean {
  if (!mayLetIn(seen)) return false;
  return (
    seen.balancer.provisioningStatus === "ERROR" ||
    brokenParts(seen, situation).some((part) => isOnApiPort(part, seen, situation))
  );
}
