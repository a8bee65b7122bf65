// Plans of this job are put together from parts: each part of the planner returns one, and they are joined in order.

import type { Plan } from "../../../../core/plan.ts";
import type { EndpointAction } from "./action.ts";

export type EndpointPlan = Plan<EndpointAction>;

export function planOf(parts: Partial<EndpointPlan>): EndpointPlan {
  return { actions: [], waits: [], refusals: [], ...parts };
}

export function joinPlans(plans: readonly EndpointPlan[]): EndpointPlan {
  return {
    actions: plans.flatMap(({ actions }) => actions),
    waits: plans.flatMap(({ waits }) => waits),
    refusals: plans.flatMap(({ refusals }) => refusals),
  };
}
