// The last word on every plan: no action takes away the last healthy way in. Parts of the planner judge alone, each by what it sees;
// here their removals are taken together, one after the other, and the one that would leave nothing stays out. A way in counts also
// while its floating IP is missing or cannot be seen: people may have its VIP, and Neutron comes back.

import type { Plan, Refusal } from "../plan.ts";
import type { EndpointAction } from "./action.ts";
import type { WayIn } from "./health.ts";
import type { Situation } from "./situation.ts";

export function neverLast(plan: Plan<EndpointAction>, situation: Situation): Plan<EndpointAction> {
  const { intent } = situation;
  if (intent.deleting || (intent.mode === "none" && intent.consents.removeLegacy)) return plan;
  const { serving } = situation;
  // The last one that people have an address of stays, and so does the last one of all.
  let kept: readonly (readonly WayIn[])[] = [serving.filter(({ address }) => address !== "missing"), serving];
  const actions: EndpointAction[] = [];
  const refusals: Refusal[] = [...plan.refusals];
  for (const action of plan.actions) {
    const left = kept.map((ways) => without(ways, action, situation));
    const isLast = kept.some((ways, index) => ways.length > 0 && left[index]?.length === 0);
    if (!isLast || isAgreed(action, situation)) {
      kept = left;
      actions.push(action);
    } else {
      const message = `not removed: ${action.removes}; it is the last healthy way in`;
      refusals.push({
        reason: "LastHealthyEndpoint",
        message,
        ...(action.lane === undefined ? {} : { lane: action.lane }),
      });
    }
  }
  return { ...plan, actions, refusals };
}

/** What is in ERROR, or speaks what nobody understands, may still serve; whoever agreed to its repair agreed to that gap. */
function isAgreed({ because, kind }: EndpointAction, { intent }: Situation): boolean {
  const isRepair = because === "LoadBalancerInError" || (kind === "delete-pool" && because === "PoolDrifted");
  return isRepair && intent.consents.repair;
}

/** The ways in that are left after an action. */
function without(ways: readonly WayIn[], action: EndpointAction, { observed, intent }: Situation): readonly WayIn[] {
  switch (action.kind) {
    case "delete-load-balancer":
      return ways.filter(({ balancerId }) => balancerId !== action.id);
    case "remove-member":
      return ways
        .map((way) => ({ ...way, healthy: way.healthy.filter(({ id }) => id !== action.id) }))
        .filter(({ healthy }) => healthy.length > 0);
    case "delete-pool":
    case "delete-listener": {
      const all = observed.balancers.known ? observed.balancers.value : [];
      const cut = all.filter(({ listeners }) =>
        listeners.some(
          ({ id, port, defaultPoolId }) => port === intent.apiPort && (id === action.id || defaultPoolId === action.id),
        ),
      );
      return ways.filter(({ balancerId }) => !cut.some(({ balancer }) => balancer.id === balancerId));
    }
    default:
      return ways;
  }
}
