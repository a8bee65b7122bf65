// The last word on every plan: no action takes away the last healthy way in. Parts of the planner judge alone, each by what it sees;
// here their removals are taken together, one after the other, and the one that would leave nothing stays out. A way in counts also
// while its floating IP is missing or cannot be seen: people may have its VIP, and Neutron comes back. One of whose members nobody knows
// whether they answer replaces nobody, and stays as long as nobody is known to.

import type { Plan, Refusal } from "../../../../core/plan.ts";
import type { EndpointAction } from "../model/action.ts";
import { isOn } from "../model/port.ts";
import type { WayIn } from "../situation/health.ts";
import type { Situation } from "../situation/situation.ts";

export function neverLast(plan: Plan<EndpointAction>, situation: Situation): Plan<EndpointAction> {
  if (mayEnd(situation)) return plan;
  let kept = keptWays(situation);
  const actions: EndpointAction[] = [];
  const refusals: Refusal[] = [...plan.refusals];
  for (const action of plan.actions) {
    if (!isLastOf(kept, action, situation)) {
      kept = left(kept, action, situation);
      actions.push(action);
    } else {
      const message = `not removed: ${action.removes}; nothing else is known to let people in`;
      refusals.push({
        reason: "LastHealthyEndpoint",
        message,
        ...(action.lane === undefined ? {} : { lane: action.lane }),
      });
    }
  }
  return { ...plan, actions, refusals };
}

/** Whether it would stay out of a plan of its own: nothing else should wait for it. */
export function takesLast(action: EndpointAction, situation: Situation): boolean {
  return !mayEnd(situation) && isLastOf(keptWays(situation), action, situation);
}

function mayEnd({ intent }: Situation): boolean {
  return intent.deleting || (intent.mode === "none" && intent.consents.removeLegacy);
}

interface Kept {
  /** That people have an address of: the last one stays. */
  readonly addressed: readonly WayIn[];
  /** Of all: the last one stays, */
  readonly serving: readonly WayIn[];
  /** and nothing of these goes unless one that serves is left. */
  readonly maybeServing: readonly WayIn[];
}

function keptWays({ serving, maybeServing }: Situation): Kept {
  const addressed = serving.filter(({ address }) => address === "there" || address === "remembered");
  return { addressed, serving, maybeServing };
}

function left({ addressed, serving, maybeServing }: Kept, action: EndpointAction, situation: Situation): Kept {
  return {
    addressed: without(addressed, action, situation),
    serving: without(serving, action, situation),
    maybeServing: without(maybeServing, action, situation),
  };
}

function isLastOf(kept: Kept, action: EndpointAction, situation: Situation): boolean {
  if (isAgreed(action, situation)) return false;
  const then = left(kept, action, situation);
  if (kept.addressed.length > 0 && then.addressed.length === 0) return true;
  return then.serving.length === 0 && membersOf(then.maybeServing) < membersOf(kept.maybeServing);
}

function membersOf(ways: readonly WayIn[]): number {
  return ways.reduce((count, { healthy }) => count + healthy.length, 0);
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
          (listener) =>
            isOn(listener, intent.apiPort) && (listener.id === action.id || listener.defaultPoolId === action.id),
        ),
      );
      return ways.filter(({ balancerId }) => !cut.some(({ balancer }) => balancer.id === balancerId));
    }
    default:
      return ways;
  }
}
