// Balancers were switched off, and one of them is the last way in: it stays, with all machines behind it and with its record, until its
// removal is agreed.

import { laneKey } from "../../../../core/plan.ts";
import type { UnwantedBalancer, WantedBalancer } from "../situation/assignment.ts";
import { servesAnybody } from "../situation/health.ts";
import { mayBeInUse } from "../situation/in-use.ts";
import type { Situation } from "../situation/situation.ts";

/** Undefined where nobody depends on any, or somebody agreed. One that serves, else one that may, else the one that people know. */
export function keptBalancer({
  assignment,
  intent,
  observed,
  serving,
}: Omit<Situation, "kept" | "records">): UnwantedBalancer | undefined {
  if (intent.mode !== "none" || intent.deleting || intent.consents.removeLegacy) return undefined;
  const ranked = inOrderOfRemoval(assignment.unwanted, observed.recorded.single?.id);
  const maybe = ranked.filter(({ seen }) => servesAnybody(seen, intent.apiPort, observed));
  const known = observed.object.provisioned ? ranked : ranked.filter(({ seen }) => mayBeInUse(seen, observed));
  const serves = known.filter(({ seen }) => serving.some(({ balancerId }) => balancerId === seen.balancer.id));
  return serves.at(-1) ?? maybe.at(-1) ?? known.at(-1);
}

/** The mirrored one goes last: when only one can stay, it is the one that people know. */
export function inOrderOfRemoval(
  unwanted: readonly UnwantedBalancer[],
  mirroredId: string | undefined,
): readonly UnwantedBalancer[] {
  const rank = ({ seen, lane }: UnwantedBalancer) =>
    `${seen.balancer.id === mirroredId ? 1 : 0} ${laneKey(lane)} ${seen.balancer.id}`;
  return unwanted.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** As a fall-back it takes everybody, whichever zone it was made for. */
export function keptAsFallback({ seen, lane, because }: UnwantedBalancer): WantedBalancer {
  return { lane, role: "fallback", zone: undefined, name: seen.balancer.name, seen, because };
}
