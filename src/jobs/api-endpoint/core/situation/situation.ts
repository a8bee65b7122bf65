// Everything the parts of the planner share, computed once: who plays which part, and which ways in there are.

import type { MemberNode } from "../../../../core/openstack/octavia-objects.ts";
import type { Plan } from "../../../../core/plan.ts";
import type { EndpointAction } from "../model/action.ts";
import type { EndpointIntent } from "../model/intent.ts";
import { isMemberNameOf, machineInMemberName, memberName, singleName, zoneName } from "../model/names.ts";
import type { BalancerObserved, EndpointObserved, MachineObserved } from "../model/observed.ts";
import { type Assignment, assignBalancers, type WantedBalancer } from "./assignment.ts";
import { type WayIn, waysIn } from "./health.ts";

export type EndpointPlan = Plan<EndpointAction>;

export interface Situation {
  readonly observed: EndpointObserved;
  readonly intent: EndpointIntent;
  readonly ownerId: string;
  readonly nowMs: number;
  readonly assignment: Assignment;
  /** The API port first. */
  readonly ports: readonly number[];
  /** Everything that is seen to serve, whether people have its address or not. */
  readonly serving: readonly WayIn[];
  /** And what may serve although nobody can tell. */
  readonly maybeServing: readonly WayIn[];
  /** Of those that serve, those that people are seen to have the address of: only they may stand in for something that goes. */
  readonly ways: readonly WayIn[];
}

export function situationOf(
  observed: EndpointObserved,
  balancers: readonly BalancerObserved[],
  ownerId: string,
  nowMs: number,
): Situation {
  const { intent } = observed;
  const assignment = assignBalancers(observed, balancers, ownerId);
  const ours = [...assignment.wanted.flatMap(({ seen }) => seen ?? []), ...assignment.unwanted.map(({ seen }) => seen)];
  // What answers behind a stranger's member is nobody's API server, as far as we know; without machines nobody is judged.
  const isNobodys = (member: MemberNode) =>
    observed.machines.length > 0 && typeof machineOfMember(observed, member) === "string";
  const { serving, maybeServing } = waysIn(observed, ours, isNobodys);
  return {
    observed,
    intent,
    ownerId,
    nowMs,
    assignment,
    ports: [
      intent.apiPort,
      ...intent.additionalPorts.filter((port) => port !== intent.apiPort).toSorted((a, b) => a - b),
    ],
    serving,
    maybeServing,
    ways: serving.filter(({ address }) => address === "there"),
  };
}

/** Other ways in than this one. */
export function otherWays({ ways }: Situation, balancerId: string | undefined): readonly WayIn[] {
  return ways.filter((way) => way.balancerId !== balancerId);
}

/** A member's machine by its name, under whichever of the cluster's balancer names it was registered; `foreign` when not by us. */
export function machineOfMember(observed: EndpointObserved, member: MemberNode): MachineObserved | "gone" | "foreign" {
  const names = balancerNames(observed).filter((name) => isMemberNameOf(name, member.port, member.name));
  const named = machineInMemberName(observed.intent.cluster, member.port, member.name);
  if (names.length === 0 && named === undefined) return "foreign";
  const found = observed.machines.find(
    (machine) =>
      machine.name === named || names.some((name) => memberName(name, member.port, machine.name) === member.name),
  );
  // Without a single machine to compare with, a member is not judged.
  return found ?? (observed.machines.length === 0 ? "foreign" : "gone");
}

/** All names that balancers of this cluster have or had, as far as anybody remembers. */
export function balancerNames({ intent, recorded, balancers }: EndpointObserved): readonly string[] {
  const zones = [...intent.zones, ...recorded.zones].map(({ zone }) => zoneName(intent.cluster, zone));
  const seen = balancers.known ? balancers.value.map(({ balancer }) => balancer.name) : [];
  const remembered = [recorded.single?.name, ...recorded.zones.map(({ name }) => name)].flatMap((name) => name ?? []);
  return [...new Set([singleName(intent.cluster), ...zones, ...remembered, ...seen])];
}

export function joinPlans(plans: readonly EndpointPlan[]): EndpointPlan {
  return {
    actions: plans.flatMap(({ actions }) => actions),
    waits: plans.flatMap(({ waits }) => waits),
    refusals: plans.flatMap(({ refusals }) => refusals),
  };
}

export function planOf(parts: Partial<EndpointPlan>): EndpointPlan {
  return { actions: [], waits: [], refusals: [], ...parts };
}

/** All balancers that lie in a wanted. */
export function existingBalancers({
  assignment,
}: Situation): readonly (WantedBalancer & { readonly seen: BalancerObserved })[] {
  return assignment.wanted.flatMap((wanted) => (wanted.seen === undefined ? [] : [{ ...wanted, seen: wanted.seen }]));
}
