// The condition MembersHealthy: every balancer has healthy members only, and every machine is behind one; else who is not.

import type { LoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { unmappedMachines } from "../members/members.ts";
import { unplacedMachines } from "../members/unplaced-machines.ts";
import type { Situation } from "../situation/situation.ts";
import { asExpected, condition, type Part, type RoundResult, together } from "./endpoint-condition.ts";

export type ShownBalancer = LoadBalancerStatus & { readonly zone: string | undefined };

export function membersHealthy(situation: Situation, balancers: readonly ShownBalancer[], { plan }: RoundResult): Part {
  const { observed } = situation;
  const unplaced = [...unmappedMachines(situation), ...unplacedMachines(situation)];
  const type = "MembersHealthy";
  const name = ({ zone, name: own }: ShownBalancer) => zone ?? own ?? "the balancer";
  const blind = balancers.filter(({ health }) => health === "Unknown").map(name);
  const bad = balancers.filter(({ health }) => health !== "Unknown" && health !== "Healthy");
  if (observed.machines.length === 0)
    return condition(type, "Unknown", {
      reason: "ZoneWithoutMembers",
      message: "there are no control-plane machines yet",
    });
  if (bad.length > 0) {
    const words = bad.map((one) => `${name(one)}: ${memberWords(one)}`);
    const reason = bad.every(({ health }) => health === "Empty") ? "ZoneWithoutMembers" : "MembersUnhealthy";
    return condition(type, "False", {
      reason,
      message: [...words, ...unplaced.map(({ message }) => message)].join("; "),
    });
  }
  // What waits for a person says more than what comes by itself.
  const first = unplaced.find(({ reason }) => reason !== "MachineWithoutAddress") ?? unplaced[0];
  if (first !== undefined) return condition(type, "False", { ...together(unplaced), reason: first.reason });
  if (blind.length > 0)
    return condition(type, "Unknown", {
      reason: "EndpointNotReady",
      message: `could not be seen: ${blind.join(", ")}`,
    });
  // True for want of a monitor that would say otherwise.
  const unwatched = plan.refusals.filter(({ reason }) => reason === "MonitorUnsupported");
  return unwatched.length === 0 ? asExpected(type) : condition(type, "True", together(unwatched));
}

function memberWords({ members: { total = 0, healthy = 0 } = {} }: ShownBalancer): string {
  return total === 0 ? "no members yet" : `${healthy} of ${total} members are healthy`;
}
