// What people are shown rests on what the cloud said last while it is asked again: a slow answer turns no condition. Once a question has
// failed, nothing stands for its answer. No decision and no memory rests on this.

import { known, lastKnown } from "../../../../core/known.ts";
import { type Situation, situationOf } from "../situation/situation.ts";

export function withLastAnswers(situation: Situation): Situation {
  const { observed, ownerId, nowMs, records } = situation;
  const { balancers, floatingIps, places, capabilities } = observed;
  const trees = balancers.known ? balancers.value.map(({ tree }) => tree) : [];
  const isAsked = [floatingIps, places, capabilities, ...trees].some((part) => "before" in part);
  if (!balancers.known || !isAsked) return situation;
  const below = balancers.value.map((seen) => (seen.tree.known ? seen : { ...seen, tree: lastKnown(seen.tree) }));
  const last = {
    ...observed,
    balancers: known(below),
    floatingIps: lastKnown(floatingIps),
    places: lastKnown(places),
    capabilities: lastKnown(capabilities),
  };
  // The records are those that this round decided on.
  return { ...situationOf(last, below, ownerId, nowMs), records };
}
