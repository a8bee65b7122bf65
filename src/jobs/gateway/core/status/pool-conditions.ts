// The conditions of a pool. Ready sums the others up, and its message names the root: a silent gateway before what is late because of it.

import type { ReportedCondition } from "../../../../core/conditions.ts";
import type { Plan } from "../../../../core/plan.ts";
import { factsOf, type Word } from "../../../../core/reasons.ts";
import { type CauseOrder, rootCause } from "../../../../core/root-cause.ts";
import type { PoolObserved } from "../model/observed.ts";
import { gatewaysCondition } from "./pool-status.ts";
import type { FailedAction, ServiceTrouble } from "./service-troubles.ts";

export const poolCauseOrder: CauseOrder = {
  roots: [
    ["GatewayPoolInvalid"],
    ["PoolCredentialsUnusable", "GatewayCredentialsUnusable"],
    ["OpenStackNotAuthenticated", "OpenStackUnreachable", "OpenStackTimeout"],
    ["GatewayRefuses", "GatewayUnreachable"],
    ["GatewayApplyFailed"],
  ],
  symptoms: [["GatewayNotReady"], ["ForwardingNotCarried"], ["AddressQuarantined"], ["GatewaysAwaited"]],
};

interface Trouble {
  readonly reason: Word;
  readonly message: string;
}

export function poolConditions(
  observed: PoolObserved,
  plan: Plan,
  failures: readonly FailedAction[],
  troubles: readonly ServiceTrouble[],
): readonly ReportedCondition[] {
  const gateways = gatewaysCondition(observed);
  const addresses = addressesCondition(observed);
  const services = servicesCondition(troubles);
  const invalid = plan.refusals.filter(({ reason }) => reason === "GatewayPoolInvalid");
  const bad: readonly Trouble[] = [
    ...invalid,
    ...[gateways, addresses].filter(({ status }) => status === "False").map(troubleOf),
    ...failures.filter(({ action }) => "gateway" in action),
  ];
  const root = rootCause(bad, poolCauseOrder);
  const isUnknown = [gateways, addresses].some(({ status }) => status === "Unknown");
  const ready: ReportedCondition =
    root !== undefined
      ? { type: "Ready", status: "False", reason: root.reason, message: root.message }
      : isUnknown
        ? { type: "Ready", status: "Unknown", reason: "AnswerAwaited", message: "not everything has been answered yet" }
        : { type: "Ready", status: "True", reason: "AsExpected", message: "" };
  return [ready, gateways, addresses, services];
}

function troubleOf({ reason, message }: ReportedCondition): Trouble {
  return { reason: reason as Word, message };
}

function addressesCondition({ neutron }: PoolObserved): ReportedCondition {
  const type = "AddressesKnown";
  if (neutron === undefined || neutron.known) return { type, status: "True", reason: "AsExpected", message: "" };
  const { reason, message } = neutron;
  const status = factsOf(reason).severity === "info" ? "Unknown" : "False";
  return { type, status, reason, message };
}

function servicesCondition(troubles: readonly ServiceTrouble[]): ReportedCondition {
  const type = "ServicesServed";
  const refused = troubles.filter(({ isRefused }) => isRefused);
  const [first] = refused;
  if (first === undefined) return { type, status: "True", reason: "AsExpected", message: "" };
  const names = new Set(refused.map(({ service }) => service));
  const more = names.size > 1 ? ` (and ${names.size - 1} more Services)` : "";
  return { type, status: "False", reason: first.reason, message: `${first.message}${more}` };
}
