// The condition MembersHealthy: every balancer has healthy members only, on every port, and every machine is behind one; else who is not.

import type { Word } from "../../../../core/reasons.ts";
import type { LoadBalancerStatus } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { unmappedMachines } from "../members/members.ts";
import { unplacedMachines } from "../members/unplaced-machines.ts";
import { portWords } from "../model/port.ts";
import { existingBalancers } from "../situation/assignment.ts";
import { type Child, childrenOn, childWords } from "../situation/children.ts";
import type { Situation } from "../situation/situation.ts";
import { asExpected, condition, type Failure, type Part, type RoundResult, together } from "./endpoint-condition.ts";
import { machinesAnswer, namedDown } from "./machine-words.ts";
import { membersByPort } from "./port-members.ts";
import { isMadeAgain } from "./zone-health.ts";

export type ShownBalancer = LoadBalancerStatus & { readonly zone: string | undefined };

/** `complete`: the condition of the balancers, which are to blame where one does not serve. */
export function membersHealthy(
  situation: Situation,
  balancers: readonly ShownBalancer[],
  { plan }: RoundResult,
  complete: Part,
): Part {
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
    return condition(type, "False", {
      reason: whoIsToBlame(bad, complete),
      message: [...words, ...unplaced.map(({ message }) => message)].join("; "),
    });
  }
  // What waits for a person says more than what comes by itself.
  const first = unplaced.find(({ reason }) => reason !== "MachineWithoutAddress") ?? unplaced[0];
  if (first !== undefined) return condition(type, "False", { ...together(unplaced), reason: first.reason });
  const broken = brokenPorts(situation);
  const unseen = inDoubt.filter((one) => !broken.some(({ balancer }) => balancer === name(one)));
  if (unseen.length + broken.length > 0)
    return condition(
      type,
      "Unknown",
      doubts(
        unseen.map((one) => ({ ...one, name: name(one) })),
        broken.map(({ words }) => words),
      ),
    );
  const unwatchedPorts = portsNobodyWatches(situation);
  if (unwatchedPorts.length > 0)
    return condition(type, "Unknown", {
      reason: "EndpointNotReady",
      message: `no health monitor checks the machines of ${unwatchedPorts.join(", ")}`,
    });
  // True for want of a monitor that would say otherwise.
  const unwatched = plan.refusals.filter(({ reason }) => reason === "MonitorUnsupported");
  return unwatched.length === 0 ? asExpected(type) : condition(type, "True", together(unwatched));
}

/**
 * Members are, where some do not answer behind a balancer that is there; else the balancers, as far as they are not complete. Behind one that
 * is made again nobody answers yet, and nobody has to act because of it.
 */
function whoIsToBlame(bad: readonly ShownBalancer[], complete: Part): Word {
  const isThere = ({ provisioningStatus = "" }: ShownBalancer) => /^(ACTIVE|PENDING_UPDATE)$/.test(provisioningStatus);
  const standing = bad.filter((one) => !isMadeAgain(one));
  if (standing.some((one) => isThere(one) && someAreDown(one))) return "MembersUnhealthy";
  if (complete.status === "False") return complete.reason;
  if (standing.length === 0) return "LoadBalancerLost";
  return standing.every(({ health }) => health === "Empty") ? "ZoneWithoutMembers" : "MembersUnhealthy";
}

function someAreDown({ members: { total = 0, healthy = 0 } = {}, ports = [] }: ShownBalancer): boolean {
  return healthy < total || ports.some((one) => one.healthy < one.total);
}

function memberWords(shown: ShownBalancer): string {
  const { id, members: { total = 0, healthy = 0, down = [] } = {}, ports = [], health } = shown;
  if (isMadeAgain(shown)) return "its machines wait for their load balancer, which is made again";
  if (!id) return "it has no load balancer";
  if (total === 0) return health === "Unhealthy" ? "its load balancer does not serve" : "no machines";
  const poor = ports.filter((one) => one.healthy < one.total);
  if (healthy < total && poor.length < 2) return `${machinesAnswer(healthy, total)}${namedDown(down)}`;
  if (poor.length === 0 && health === "Unhealthy") return "its load balancer does not serve";
  return poor.map((one) => `port ${one.port}: ${machinesAnswer(one.healthy, one.total)}`).join(", ");
}

function doubts(
  balancers: readonly (ShownBalancer & { readonly name: string })[],
  brokenParts: readonly string[],
): Failure {
  const isBroken = ({ provisioningStatus }: ShownBalancer) => provisioningStatus === "ERROR";
  const words = [
    ...balancers.map((one) =>
      isBroken(one) ? `${one.name}: in ERROR, and it may still serve` : `${one.name}: could not be seen`,
    ),
    ...(brokenParts.length === 0 ? [] : [`nobody knows who answers: ${brokenParts.join(", ")}`]),
  ];
  const reason = balancers.every(isBroken) ? "LoadBalancerInError" : "EndpointNotReady";
  return { reason, message: words.join("; ") };
}

const above: readonly Child["what"][] = ["listener", "pool"];

/** What is above the members of a port is in ERROR: no word of theirs tells whether people get through to them. */
function brokenPorts(situation: Situation): readonly { readonly balancer: string; readonly words: string }[] {
  return existingBalancers(situation.assignment)
    .filter(({ role }) => role !== "fallback")
    .flatMap(({ zone, name, seen }) =>
      situation.ports.flatMap((port) =>
        childrenOn(seen, [port])
          .filter(({ what, provisioningStatus }) => above.includes(what) && provisioningStatus === "ERROR")
          .map((child) => ({
            balancer: zone ?? name,
            words: `port ${portWords(port)} of ${zone ?? name} (${childWords(child)})`,
          })),
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
