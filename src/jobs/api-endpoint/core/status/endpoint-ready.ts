// The condition APIEndpointReady: the cluster has an endpoint as asked (its address, its DNS records, its hand-off to CAPO), and enough
// balancers behind it. Enough for a cluster to begin are all of them, or as many as the user says; afterwards one that lets people in.

import { dnsLane, endpointLane, keptFloatingIpLane } from "../model/lanes.ts";
import { enoughMade } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";
import {
  asExpected,
  condition,
  type Failure,
  notAnswered,
  type Part,
  type RoundResult,
  together,
} from "./endpoint-condition.ts";
import { anyOf, isReachable } from "./reach.ts";

const type = "APIEndpointReady";

export function endpointReady(situation: Situation, round: RoundResult): Part {
  const { intent, observed } = situation;
  if (intent.deleting)
    return condition(type, "False", { reason: "EndpointDeleted", message: "the object is being deleted" });
  const refused = endpointRefusals(round);
  if (refused.length > 0) return condition(type, "False", together(refused));
  const failed = round.failures.find(isOfEndpoint);
  const { host = "", port = 0 } = intent.endpoint ?? {};
  if (failed !== undefined) return condition(type, "False", failed);
  if (host === "" || port === 0)
    return condition(type, "False", { reason: "EndpointMissing", message: "the cluster has no endpoint yet" });
  if (intent.mode === "none") return asExpected(type);
  const enough = enoughMade(situation);
  const isUp = observed.object.provisioned ? anyOf([enough, isReachable(situation)]) : enough;
  if (isUp === "yes") return asExpected(type);
  return isUp === "no"
    ? condition(type, "False", { reason: "EndpointNotReady", message: "too few balancers are whole" })
    : condition(type, "Unknown", hiddenBecause(situation));
}

/** The object as a whole is refused: nothing of it is done before somebody changes it. */
export function endpointRefusals({ plan }: RoundResult): readonly Failure[] {
  return plan.refusals.filter(({ reason }) =>
    [
      "EndpointSpecInvalid",
      "OctaviaTooOld",
      "EndpointNotDnsName",
      "EndpointUndetermined",
      "DnsEndpointForeign",
    ].includes(reason),
  );
}

/** Of the endpoint itself, and not of a balancer; floating IPs that are left over have an aspect. */
function isOfEndpoint({ lane }: Failure): boolean {
  if (lane === undefined || lane.part === dnsLane.part || lane.part === endpointLane.part) return true;
  return lane.part === keptFloatingIpLane.part && lane.aspect === undefined;
}

function hiddenBecause({ observed, assignment }: Situation): Failure {
  if (!observed.floatingIps.known) return notAnswered("Neutron", observed.floatingIps);
  const broken = assignment.wanted.filter(({ seen }) => seen?.balancer.provisioningStatus === "ERROR");
  if (broken.length === 0)
    return { reason: "EndpointNotReady", message: "Octavia does not show what is behind the balancers" };
  const names = broken.map(({ zone, name }) => zone ?? name).join(", ");
  return { reason: "LoadBalancerInError", message: `in ERROR, and nobody knows whether they still serve: ${names}` };
}
