// The plan for what was observed, made once: whoever observes asks for it, too, to know whether the object is at rest.

import type { WallMs } from "../../../core/clock-times.ts";
import type { Plan } from "../../../core/plan.ts";
import type { EndpointAction } from "../core/model/action.ts";
import { planEndpoint } from "../core/plan.ts";
import type { ObservedEndpoint } from "./observe.ts";

export type EndpointPlan = (observed: ObservedEndpoint, nowMs: WallMs) => Plan<EndpointAction>;

export function oncePerObservation(plan: EndpointPlan = planEndpoint): EndpointPlan {
  const made = new WeakMap<ObservedEndpoint, { readonly nowMs: WallMs; readonly plan: Plan<EndpointAction> }>();
  return (observed, nowMs) => {
    const before = made.get(observed);
    if (before?.nowMs === nowMs) return before.plan;
    const now = plan(observed, nowMs);
    made.set(observed, { nowMs, plan: now });
    return now;
  };
}
