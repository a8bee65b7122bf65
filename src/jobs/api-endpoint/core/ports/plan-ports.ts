// What is due behind a balancer's ports, in the order in which it is done as long as nothing is refused (take-turn.ts): everything missing
// is made, API port first; then drift is corrected, kind by kind; only then does anything leave. But a pool that no listener leads to goes
// first: it serves nobody, and it is seen only while a listener is missing (controller/cloud/observed-balancers.ts).

import type { Listener } from "../../../../core/openstack/octavia-objects.ts";
import type { EndpointAction } from "../model/action.ts";
import { isSpokenOn, type Port } from "../model/port.ts";
import { portOf } from "../situation/health.ts";
import type { Situation } from "../situation/situation.ts";
import { correctingSteps } from "./correct-ports.ts";
import { dueToMake, memberSteps, stepsOn } from "./make-ports.ts";
import { type BalancerContext, isInError, isOurListener, isOurPool, type PortContext } from "./port-context.ts";
import { removeListener, removeMembers, removePool } from "./remove-ports.ts";

export function* dueOnPorts(context: BalancerContext): Iterable<EndpointAction> {
  const ports = usablePorts(context);
  yield* some(removePool(context));
  yield* dueToMake(context, ports);
  yield* stepsOn(ports, correctingSteps);
  yield* ports.flatMap(removeMembers);
  yield* some(removeListener(context));
}

/** Members alone: for the fall-back, and for an object with problems, whose machines come and go nevertheless. */
export function* dueOnMembers(context: BalancerContext): Iterable<EndpointAction> {
  const ports = usablePorts(context);
  yield* stepsOn(ports, memberSteps);
  yield* ports.flatMap(removeMembers);
}

/** Without what is somebody else's, and what is in ERROR: of a listener the whole port, of a pool all but its listener. */
function usablePorts(context: BalancerContext): readonly PortContext[] {
  const { seen, situation } = context;
  return context.desired.ports.flatMap((desired) => {
    const { listener, pool, monitor } = portOf(seen, desired.port);
    if (listener !== undefined && !isUsableListener(listener, desired.port, situation)) return [];
    const isUsable = pool !== undefined && !isInError(pool) && isOurPool(pool, seen, situation);
    return [
      { ...context, desired, listener, ...(isUsable ? { pool, monitor } : { pool: undefined, monitor: undefined }) },
    ];
  });
}

function isUsableListener(listener: Listener, port: Port, situation: Situation): boolean {
  return isSpokenOn(listener, port) && !isInError(listener) && isOurListener(listener, situation);
}

function some(action: EndpointAction | undefined): readonly EndpointAction[] {
  return action === undefined ? [] : [action];
}
