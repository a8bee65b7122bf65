// Whether a balancer in ERROR, or one whose API port stands on a part that is to be made again, should leave the records that we publish, although
// it may serve: it is about to be taken down, and people are sent to another one that is known to serve. Where nobody else is, it stays,
// whatever becomes of it.

import type { WantedBalancer } from "./assignment.ts";
import { brokenParts, isOnApiPort } from "./broken-parts.ts";
import { mayLetIn } from "./in-use.ts";
import { otherPublishedWays } from "./published.ts";
import type { Situation } from "./situation.ts";

export function leavesInError(
  { role, seen }: WantedBalancer,
  situation: Pick<Situation, "observed" | "intent" | "ways" | "ownerId" | "ports">,
): boolean {
  if (seen === undefined || role === "fallback" || !mayLetIn(seen)) return false;
  const isBroken =
    seen.balancer.provisioningStatus === "ERROR" ||
    brokenParts(seen, situation).some((part) => isOnApiPort(part, seen, situation));
  if (!isBroken) return false;
  return otherPublishedWays(seen, situation).length > 0;
}
