// What stands behind a balancer's ports. The first change that is due is the only one of the round: everything missing is made, API
// port first; then drift is corrected, kind by kind; only then does anything leave. But a pool that no listener leads to goes first: it
// serves nobody, and it is seen only while a listener is missing (see balancer-looks.ts).

import type { EndpointAction } from "./action.ts";
import { correctingSteps } from "./correct-ports.ts";
import { portOf } from "./health.ts";
import { makingSteps, memberSteps } from "./make-ports.ts";
import type { Ground, OnPort } from "./port-ground.ts";
import { hangsOnLateListeners } from "./provider-features.ts";
import { removeListener, removeMember, removePool } from "./remove-ports.ts";

export function nextPortStep(ground: Ground): EndpointAction | undefined {
  const usable = portsOf(ground).filter(({ listener }) => listener === undefined || listener.protocol === "TCP");
  return (
    removePool(ground) ??
    nextMaking(ground, usable) ??
    firstOf(correctingSteps, (step) => firstOf(usable, step)) ??
    firstOf(usable, removeMember) ??
    removeListener(ground)
  );
}

/** Port by port, so that the API's own serves first; but kind by kind where a listener must not come after a monitor. */
function nextMaking({ seen }: Ground, ports: readonly OnPort[]): EndpointAction | undefined {
  return hangsOnLateListeners(seen.balancer.provider)
    ? firstOf(makingSteps, (step) => firstOf(ports, step))
    : firstOf(ports, (on) => firstOf(makingSteps, (step) => step(on)));
}

/** Members alone: for the fall-back, and for an object with problems, whose machines come and go nevertheless. */
export function nextMemberStep(ground: Ground): EndpointAction | undefined {
  const ports = portsOf(ground);
  return firstOf(memberSteps, (step) => firstOf(ports, step)) ?? firstOf(ports, removeMember);
}

function portsOf(ground: Ground): readonly OnPort[] {
  return ground.situation.ports.map((port) => ({ ...ground, port, ...portOf(ground.seen, port) }));
}

function firstOf<T, R>(items: readonly T[], step: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = step(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
