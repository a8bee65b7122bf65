// A plan beside changes that have not been answered yet. The engine lets nothing of the same lane begin, no second removal, and nothing that
// concerns the whole object, such as the finalizer's removal. What it cannot know is said here: a balancer or a floating IP may have come
// into another lane since, because the object asks for something else now.
//
//   an action of one lane                           waits while another lane changes
//   about a balancer, what is below it, an address  the same one
//   that makes a balancer                           nothing yet into one that nobody asked for any more: it may take its place

import { laneKey, type Wait } from "../../../../core/plan.ts";
import { unseenWait } from "../balancer/waits.ts";
import type { EndpointAction } from "../model/action.ts";
import { endpointActionWords } from "../model/action-words.ts";
import type { EndpointPlan } from "../model/endpoint-plan.ts";
import type { Situation } from "./situation.ts";
import { subjectsOf } from "./subjects.ts";

export function besideUnderWay(plan: EndpointPlan, situation: Situation): EndpointPlan {
  const { underWay = [] } = situation.observed;
  if (underWay.length === 0) return plan;
  const actions: EndpointAction[] = [];
  const waits: Wait[] = [...plan.waits];
  for (const action of plan.actions) {
    const [words] = underWay
      .filter((other) => laneKey(other.lane) !== laneKey(action.lane) && isInTheWay(action, other, situation))
      .map(endpointActionWords)
      .toSorted();
    if (words === undefined) actions.push(action);
    else {
      const message = `${endpointActionWords(action)}: it waits for a change that has not been answered yet: ${words}`;
      waits.push(unseenWait({ reason: "ChangeUnderWay", message }, action.lane));
    }
  }
  return { ...plan, actions, waits };
}

function isInTheWay(action: EndpointAction, other: EndpointAction, { observed, assignment }: Situation): boolean {
  if (action.kind === "create-load-balancer" && other.kind === "create-load-balancer")
    return !assignment.wanted.some(({ lane }) => laneKey(lane) === laneKey(other.lane));
  const balancers = observed.balancers.known ? observed.balancers.value : [];
  const subjects = subjectsOf(other, balancers);
  return subjectsOf(action, balancers).some((id) => subjects.includes(id));
}
