// The last word on every plan: no action takes away the last healthy way in. Parts of the planner judge alone, each by what it sees;
// here their removals are taken together, one after the other, and the one that would leave nothing stays out. A way in counts also
// while its floating IP is missing or cannot be seen: people may have its VIP, and Neutron comes back. One of whose members nobody knows
// whether they answer, or that is in ERROR and may serve, replaces nobody, and stays as long as nobody is known to. Neither does one that
// the DNS records do not name yet, where they name the one that would go: nobody is sent there. Of several that are to be failed over or
// made again, one goes in a round, whoever agreed, and the next when it is back (balancer/why-kept.ts).

import { laneKey, type Plan, type Refusal } from "../../../../core/plan.ts";
import { present } from "../../../../core/present.ts";
import { isTearDown } from "../balancer/away.ts";
import { repairConsent } from "../balancer/repair-consent.ts";
import type { EndpointAction } from "../model/action.ts";
import { endpointActionWords } from "../model/action-words.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { isOn } from "../model/port.ts";
import { waitsForMachines } from "../situation/cluster-bond.ts";
import { mayLetIn } from "../situation/in-use.ts";
import { publishedOf } from "../situation/published.ts";
import type { Situation } from "../situation/situation.ts";
import type { WayIn } from "../situation/ways-in.ts";

export function neverLast(plan: Plan<EndpointAction>, situation: Situation): Plan<EndpointAction> {
  if (mayEnd(situation)) return plan;
  let kept = keptWays(situation);
  let tornDown: EndpointAction | undefined;
  const actions: EndpointAction[] = [];
  let refusals = plan.refusals;
  for (const action of plan.actions) {
    const refusal = isLastOf(kept, action, situation) ? lastOne(action) : secondAtOnce(action, tornDown, situation);
    if (refusal !== undefined) {
      refusals = [
        ...refusals.filter((one) => !isConsentTo(action, one)),
        { ...refusal, ...present({ lane: action.lane }) },
      ];
      continue;
    }
    kept = left(kept, action, situation);
    if (tearsDown(action, situation)) tornDown ??= action;
    actions.push(action);
  }
  return { ...plan, actions, refusals };
}

/** It says that the action goes by consent, which it does not now. */
export function isConsentTo({ lane }: EndpointAction, refusal: Refusal): boolean {
  return refusal.reason === "RepairAgreed" && laneKey(refusal.lane) === laneKey(lane);
}

function lastOne(action: EndpointAction): Refusal {
  const what =
    action.removes === undefined ? `not done: ${endpointActionWords(action)}` : `not removed: ${action.removes}`;
  return { reason: "LastHealthyEndpoint", message: `${what}; nothing else is known to let people in` };
}

function secondAtOnce(
  action: EndpointAction,
  first: EndpointAction | undefined,
  situation: Situation,
): Refusal | undefined {
  if (first === undefined || !tearsDown(action, situation)) return undefined;
  const message = `${subjectOf(action)}: it is repaired after ${subjectOf(first)}; only one is taken down at a time`;
  return { reason: "LoadBalancerInError", message };
}

/** In words. */
export function subjectOf(action: EndpointAction): string {
  if (action.kind === "apply-dns-endpoint") return `a DNS record of ${action.host}`;
  return action.kind === "failover-load-balancer" ? `load balancer ${action.name}` : `${action.removes}`;
}

/** People may come through it. */
function tearsDown(action: EndpointAction, situation: Situation): boolean {
  if (!isTearDown(action)) return false;
  return balancersCutBy(action, situation.observed).some(mayLetIn);
}

/** Whether it would stay out of a plan of its own: nothing else should wait for it. */
export function takesLast(action: EndpointAction, situation: Situation): boolean {
  return !mayEnd(situation) && isLastOf(keptWays(situation), action, situation);
}

/** Nobody needs a way in any more. */
export function mayEnd({ intent, observed }: Situation): boolean {
  return (intent.deleting && !waitsForMachines(observed)) || (intent.mode === "none" && intent.consents.removeLegacy);
}

interface Ways {
  /** The last one stays, */
  readonly serving: readonly WayIn[];
  /** and nothing of these goes unless one that serves is left. */
  readonly maybeServing: readonly WayIn[];
}

/** Each is judged by itself: all, those that people have an address of, and those that people are sent to by our DNS records. */
export type Kept = readonly Ways[];

export function keptWays({ serving, maybeServing, observed }: Situation): Kept {
  const addressed = serving.filter(({ address }) => address === "there" || address === "remembered");
  const published = { serving: publishedOf(serving, observed), maybeServing: publishedOf(maybeServing, observed) };
  return [{ serving, maybeServing }, { serving: addressed, maybeServing: addressed }, published];
}

export function left(kept: Kept, action: EndpointAction, situation: Situation): Kept {
  const those = (ways: readonly WayIn[]) => without(ways, action, situation);
  return kept.map(({ serving, maybeServing }) => ({ serving: those(serving), maybeServing: those(maybeServing) }));
}

function isLastOf(kept: Kept, action: EndpointAction, situation: Situation): boolean {
  return !isAgreed(action, situation) && isLastBeside(kept, action, situation);
}

/** Whether nobody who serves is left by it, where of those only some count. */
export function isLastBeside(
  kept: Kept,
  action: EndpointAction,
  situation: Situation,
  counts: (way: WayIn) => boolean = () => true,
): boolean {
  const then = left(kept, action, situation).map((ways) => ({ ...ways, serving: ways.serving.filter(counts) }));
  return kept.some((before, index) => isNobodyLeft(before, then[index] ?? before));
}

function isNobodyLeft(before: Ways, then: Ways): boolean {
  return then.serving.length === 0 && membersOf(then.maybeServing) < membersOf(before.maybeServing);
}

function membersOf(ways: readonly WayIn[]): number {
  return ways.reduce((count, { healthy }) => count + healthy.length, 0);
}

/** What is in ERROR, or speaks what nobody understands, may still serve; whoever agreed to its repair agreed to that gap. */
function isAgreed(action: EndpointAction, situation: Situation): boolean {
  const { wanted } = situation.assignment;
  return (
    isTearDown(action) &&
    wanted.some((one) => laneKey(one.lane) === laneKey(action.lane) && repairConsent(one, situation) !== "none")
  );
}

/** The ways in that are left after an action. */
export function without(ways: readonly WayIn[], action: EndpointAction, { observed }: Situation): readonly WayIn[] {
  if (action.kind === "remove-member")
    return ways
      .map((way) => ({ ...way, healthy: way.healthy.filter(({ id }) => id !== action.id) }))
      .filter(({ healthy }) => healthy.length > 0);
  const cut = balancersCutBy(action, observed);
  return ways.filter(({ balancerId }) => !cut.some(({ balancer }) => balancer.id === balancerId));
}

/** Those that let nobody in any more after an action. */
export function balancersCutBy(
  action: EndpointAction,
  { balancers, intent }: Situation["observed"],
): readonly BalancerObserved[] {
  const all = balancers.known ? balancers.value : [];
  switch (action.kind) {
    case "delete-load-balancer":
    // One amphora is replaced after the other, and where there is one alone, nobody comes through meanwhile.
    case "failover-load-balancer":
      return all.filter(({ balancer }) => balancer.id === action.id);
    case "delete-pool":
    case "delete-listener":
      return all.filter(({ listeners }) =>
        listeners.some(
          (listener) =>
            isOn(listener, intent.apiPort) && (listener.id === action.id || listener.defaultPoolId === action.id),
        ),
      );
    default:
      return [];
  }
}
