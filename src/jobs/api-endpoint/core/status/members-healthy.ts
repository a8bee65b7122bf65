// The condition MembersHealthy: every balancer has healthy members only, on every port, and every machine is behind one; else who is not.

import type { LoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { unmappedMachines } from "../members/members.ts";
import { unplacedMachines } from "../members/unplaced-machines.ts";
import { portWords } from "../model/port.ts";
import { existingBalancers } from "../situation/assignment.ts";
import { type Child, childrenOn, childWords } from "../situation/children.ts";
import type { Situation } from "../situation/situation.ts";
import { asExpected, condition, type Failure, type Part, type RoundResult, together } from "./endpoint-condition.ts";
import { membersByPort } from "./port-members.ts";

export type ShownBalancer = LoadBalancerStatus & { readonly zone: string | undefined };

export function membersHealthy(situation: Situation, balancers: readonly ShownBalancer[], { plan }: RoundResult): Part {
  const { observed } = situation;
  const unplaced = [...unmappedMachines(situation), ...unplacedMachines(situation)];
  const type = "MembersHealthy";
  const name = ({ zone, name: own }: ShownBalancer) => zone ?? own ?? "the balancer";
  const inDoubt = balancers.filter(({ health }) => health === "Unknown");
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
  if (inDoubt.length > 0)
    return condition(type, "Unknown", doubts(inDoubt.map((one) => ({ ...one, name: name(one) }))));
  const broken = brokenPorts(situation);
  if (broken.length > 0)
    return condition(type, "Unknown", {
      reason: "LoadBalancerInError",
      message: `nobody knows who answers: ${broken.join(", ")}`,
    });
  const unwatchedPorts = portsNobodyWatches(situation);
  if (unwatchedPorts.length > 0)
    return condition(type, "Unknown", {
      reason: "EndpointNotReady",
      message: `nobody watches the members of ${unwatchedPorts.join(", ")}`,
    });
  // True for want of a monitor that would say otherwise.
  const unwatched = plan.refusals.filter(({ reason }) => reason === "MonitorUnsupported");
  return unwatched.length === 0 ? asExpected(type) : condition(type, "True", together(unwatched));
}

function memberWords({ members: { total = 0, healthy = 0 } = {}, ports = [], health }: ShownBalancer): string {
  if (total === 0) return health === "Unhealthy" ? "the balancer itself does not serve" : "no members yet";
  const poor = ports.filter((one) => one.healthy < one.total);
  if (healthy < total && poor.length < 2) return `${healthy} of ${total} members are healthy`;
  if (poor.length === 0 && health === "Unhealthy") return "the balancer itself does not serve";
  return poor.map((one) => `port ${one.port}: ${one.healthy} of ${one.total} members are healthy`).join(", ");
}

function doubts(balancers: readonly (ShownBalancer & { readonly name: string })[]): Failure {
  const isBroken = ({ provisioningStatus }: ShownBalancer) => provisioningStatus === "ERROR";
  const words = balancers.map((one) =>
    isBroken(one) ? `${one.name}: in ERROR, and it may still serve` : `${one.name}: could not be seen`,
  );
  const reason = balancers.every(isBroken) ? "LoadBalancerInError" : "EndpointNotReady";
  return { reason, message: words.join("; ") };
}

const above: readonly Child["what"][] = ["listener", "pool"];

/** What is above the members of a port is in ERROR: no word of theirs tells whether people get through to them. */
function brokenPorts(situation: Situation): readonly string[] {
  return existingBalancers(situation.assignment)
    .filter(({ role }) => role !== "fallback")
    .flatMap(({ zone, name, seen }) =>
      situation.ports.flatMap((port) =>
        childrenOn(seen, [port])
          .filter(({ what, provisioningStatus }) => above.includes(what) && provisioningStatus === "ERROR")
          .map((child) => `port ${portWords(port)} of ${zone ?? name} (${childWords(child)})`),
      ),
    );
}

function portsNobodyWatches(situation: Situation): readonly string[] {
  return existingBalancers(situation.assignment).flatMap(({ role, zone, name, seen }) =>
    membersByPort(seen, situation)
      .filter(({ unknown }) => unknown > 0 && role !== "fallback")
      .map(({ port }) => `port ${portWords(port)} of ${zone ?? name}`),
  );
}
