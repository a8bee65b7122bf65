// What a change in the cloud is about: a balancer with everything below it, or a floating IP and the port that it is on.

import { lastKnown } from "../../../../core/known.ts";
import type { EndpointAction } from "../model/action.ts";
import type { BalancerObserved } from "../model/observed.ts";

/** Ids; of what is below a balancer, the balancer's, as far as it was seen. */
export function subjectsOf(action: EndpointAction, balancers: readonly BalancerObserved[]): readonly string[] {
  return idsOf(action).map((id) => balancers.find((seen) => isBelow(id, seen))?.balancer.id ?? id);
}

/** Undefined: it is about none of these, or about something that nobody has seen below one. */
export function balancerOf(action: EndpointAction, balancers: readonly BalancerObserved[]): string | undefined {
  const subjects = subjectsOf(action, balancers);
  return balancers.find(({ balancer }) => subjects.includes(balancer.id))?.balancer.id;
}

function idsOf(action: EndpointAction): readonly string[] {
  const wanted = "wanted" in action ? action.wanted : {};
  const named: Readonly<Record<string, unknown>> = { ...wanted, ...action };
  return ["id", "poolId", "listenerId", "loadBalancerId", "portId"]
    .map((field) => named[field])
    .filter((id) => typeof id === "string");
}

function isBelow(id: string, { balancer, listeners, monitors, tree }: BalancerObserved): boolean {
  const last = lastKnown(tree);
  const pools = last.known ? last.value.pools : [];
  const members = pools.flatMap((pool) => pool.members);
  return [balancer, ...listeners, ...monitors, ...pools, ...members].some((one) => one.id === id);
}
