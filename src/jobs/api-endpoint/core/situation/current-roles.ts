// Balancers in the role that they have now, by their tags or, where those were cleared, by status or by what is below them,
// whatever the object asks for: while the object has problems, and for balancers that are to go and still serve.

import { fallbackLane, zoneLane } from "../model/lanes.ts";
import type { BalancerObserved, EndpointObserved } from "../model/observed.ts";
import { roleTagOf } from "../model/ownership.ts";
import { existingBalancers, type UnwantedBalancer, type WantedBalancer } from "./assignment.ts";
import { servesAnybody } from "./health.ts";
import { zoneOfOurs } from "./known-by-parts.ts";
import type { Situation } from "./situation.ts";

/** One without a zone takes every machine. */
export function currentRole(seen: BalancerObserved, observed: EndpointObserved): WantedBalancer {
  const { tags, name } = seen.balancer;
  const zone = zoneOfOurs(seen, observed);
  const role = zone === undefined ? (roleTagOf(tags) === "single" ? "single" : "fallback") : "zone";
  return {
    lane: zone === undefined ? fallbackLane : zoneLane(zone),
    role,
    zone,
    name,
    seen,
    because: "LoadBalancerDrifted",
  };
}

/** Of all that there are, but for idle duplicates. */
export function currentRoles(
  situation: Pick<Situation, "assignment" | "intent" | "observed">,
): readonly WantedBalancer[] {
  const { assignment, observed } = situation;
  const unwanted = assignment.unwanted.filter((one) => !isIdleDuplicate(one, situation));
  return [...existingBalancers(assignment), ...unwanted].map(({ seen }) => currentRole(seen, observed));
}

/** A duplicate that nobody stands behind: it was never in use, and gets no members. */
export function isIdleDuplicate(
  { seen, because }: UnwantedBalancer,
  { intent, observed }: Pick<Situation, "intent" | "observed">,
): boolean {
  return because === "LoadBalancerDuplicate" && !servesAnybody(seen, intent.apiPort, observed);
}
