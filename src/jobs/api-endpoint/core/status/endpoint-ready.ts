// The condition APIEndpointReady: the cluster has an endpoint as asked (its address, its DNS records, its hand-off to CAPO), and enough
// balancers behind it. Enough for a cluster to begin are all of them, or as many as the user says; afterwards one that lets people in.
// Records that a round has to write are as asked when it has written them: they are not while they cannot be written, or do not last.

import { endpointLane, keptFloatingIpLane } from "../model/lanes.ts";
import { isDoubtful } from "../situation/balancer-health.ts";
import { notAnswered } from "../situation/cloud-away.ts";
import { unheldEndpoint } from "../situation/endpoint-holder.ts";
import { enoughMade, enoughOpen } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";
import { asExpected, condition, type Failure, type Part, type RoundResult, together } from "./endpoint-condition.ts";
import { recordsTrouble, unreadRecords } from "./published-records.ts";
import { anyOf, isReachable } from "./reach.ts";

const type = "APIEndpointReady";

export function endpointReady(situation: Situation, round: RoundResult): Part {
  const beside = endpointBesideRecords(situation, round);
  const trouble = recordsTrouble(round);
  const unread = unreadRecords(situation);
  if (unread !== undefined && beside.status === "True") return condition(type, "Unknown", unread);
  // Whatever else is wrong is told first, but for what may be over by itself.
  const isTold = beside.status === "False" && beside.reason !== "EndpointNotReady";
  return trouble === undefined || isTold ? beside : condition(type, "False", trouble);
}

/** The same, whatever the DNS records say now. */
export function endpointBesideRecords(situation: Situation, round: RoundResult): Part {
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
  const isUp = observed.object.provisioned
    ? anyOf([enoughOpen(situation), isReachable(situation)])
    : enoughMade(situation);
  if (isUp === "yes") return heldEndpoint(situation) ?? asExpected(type);
  return isUp === "no"
    ? condition(type, "False", { reason: "EndpointNotReady", message: "too few load balancers are complete" })
    : condition(type, "Unknown", hiddenBecause(situation));
}

/** Balancers serve, and nobody who comes by the endpoint's address gets to one of them. */
function heldEndpoint(situation: Situation): Part | undefined {
  const unheld = unheldEndpoint(situation);
  if (unheld === undefined) return undefined;
  if (unheld.is === "unknown") return condition(type, "Unknown", hiddenBecause(situation));
  const { floatingIps } = situation.observed;
  const port = floatingIps.known ? floatingIps.value.find(({ address }) => address === unheld.host)?.portId : undefined;
  const where = port === undefined ? "" : `; it is attached to port ${port}`;
  const message = `the cluster's endpoint is ${unheld.host}, and no load balancer of it has that address${where}`;
  return condition(type, "False", { reason: "EndpointNotOnLoadBalancer", message });
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

/**
 * Of the endpoint itself, and not of a balancer, the records, or what is noted on the object and has no lane: Ready tells those. Floating
 * IPs that are left over have an aspect.
 */
function isOfEndpoint({ lane }: Failure): boolean {
  if (lane?.part === endpointLane.part) return true;
  return lane?.part === keptFloatingIpLane.part && lane.aspect === undefined;
}

function hiddenBecause({ observed, assignment }: Situation): Failure {
  if (!observed.floatingIps.known) return notAnswered(observed.floatingIps, "Neutron");
  const broken = assignment.wanted.filter(
    ({ seen }) => seen !== undefined && (seen.balancer.provisioningStatus === "ERROR" || isDoubtful(seen, observed)),
  );
  if (broken.length === 0)
    return { reason: "EndpointNotReady", message: "Octavia does not show what is behind the balancers" };
  const names = broken.map(({ zone, name }) => zone ?? name).join(", ");
  return {
    reason: "LoadBalancerInError",
    message: `in ERROR, or their API listener or pool is, and nobody knows whether they still serve: ${names}`,
  };
}
