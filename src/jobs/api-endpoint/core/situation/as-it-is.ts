// A balancer in the part that its tags give it, whatever the object asks for now: while the object has problems, and on the way out.

import type { BalancerObserved } from "../model/observed.ts";
import { roleTagOf, zoneTagOf } from "../model/ownership.ts";
import type { UnwantedBalancer, WantedBalancer } from "./assignment.ts";
import { servesAnybody } from "./health.ts";
import { existingBalancers, type Situation } from "./situation.ts";

/** Without a zone it takes everybody. */
export function asItIs(seen: BalancerObserved): WantedBalancer {
  const { tags, name } = seen.balancer;
  const zone = zoneTagOf(tags);
  const role = zone === undefined ? (roleTagOf(tags) === "single" ? "single" : "fallback") : "zone";
  return { lane: zone ?? "legacy", role, zone, name, seen, because: "LoadBalancerDrifted" };
}

/** All that there are; but for duplicates that nobody stands behind, who were never in use. */
export function allAsTheyAre(situation: Situation): readonly WantedBalancer[] {
  const { unwanted } = situation.assignment;
  return [...existingBalancers(situation), ...unwanted.filter((one) => !isIdleDuplicate(one, situation))].map(
    ({ seen }) => asItIs(seen),
  );
}

export function isIdleDuplicate({ seen, because }: UnwantedBalancer, { intent, observed }: Situation): boolean {
  return because === "LoadBalancerDuplicate" && !servesAnybody(seen, intent.apiPort, observed);
}
