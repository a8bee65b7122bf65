// The condition Ready: people can reach the API through this object as it asks. One rule for every situation, and the first that holds counts:
//
//   False     the object is being deleted; or it is refused as a whole, so that nothing it asks for now is done; or its endpoint is not
//             complete; or no API server answers behind any balancer that lets people in
//   Unknown   nobody can tell: the cloud does not answer, or is not asked
//   True      else. What is missing beside it (a zone, a port, a member) is said in the message, and is False in its own condition; so is a
//             step that is done again and again without effect, and what cannot be seen
//
// What follows (`?` is Unknown; the table is also in docs/concepts/api-endpoint.md, and ready.test.ts tries every row):
//
//   situation                                        Ready  LoadBalancersReady  APIEndpointReady  MembersHealthy  NetworkReady
//   everything is as asked                           True   True                True              True            True
//   first creation, balancers are being made         False  False               False             ?               True
//   complete, and no machine is there yet            True   True                True              ?               True
//   a zone is dark, others serve                     True   True                True              False           True
//   a balancer is in ERROR, others serve             True   False               True              ?               True
//   all are in ERROR, and members answer             ?      False               ?                 ?               True
//   a balancer is made again, others serve           True   False               True              False           True
//   a balancer is switched off by hand               True   False               True              False           True
//   a balancer says that it is dead, others serve    True   False               True              False           True
//   a balancer cannot be read, others serve          True   ?                   True              ?               True
//   a balancer cannot be read and does not answer    True   False               True              False           True
//   a port is being added                            True   False               True              True            True
//   an extra zone is mistyped                        True   False               True              False           False
//   the object is refused as a whole                 False  True                False             True            True
//   no API server answers in any zone                False  True                True              False           True
//   Neutron does not answer                          ?      ?                   ?                 True            ?
//   Octavia does not answer                          ?      ?                   ?                 ?               ?
//   the credentials are refused                      ?      ?                   ?                 ?               ?
//   the credentials lead to another project          False  ?                   ?                 ?               ?
//   paused                                           ?      ?                   ?                 ?               ?
//   balancers are switched off, the last is kept     True   True                True              True            True
//   the deletion waits for machines                  False  True                False             True            True

import { factsOf } from "../../../../core/reasons.ts";
import type { Answer } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";
import { condition, type Failure, mostSevere, type Part, type RoundResult } from "./endpoint-condition.ts";
import { isOpenAnywhere, isReachable } from "./reach.ts";

/** The other conditions of the round. */
export interface ReadyParts {
  readonly authentication: Part;
  readonly network: Part;
  readonly balancers: Part;
  readonly members: Part;
  readonly endpoint: Part;
}

export function readyCondition(situation: Situation, parts: ReadyParts, round: RoundResult): Part {
  if (situation.intent.deleting) return condition("Ready", "False", whyDeletionLasts(round));
  switch (canBeReached(situation, parts)) {
    case "no":
      return condition("Ready", "False", whyNot(situation, parts));
    case "unknown":
      return condition("Ready", "Unknown", firstThat("Unknown", parts) ?? parts.endpoint);
    case "yes":
      return condition("Ready", "True", whatIsMissing(parts, round));
  }
}

function canBeReached(situation: Situation, { endpoint }: ReadyParts): Answer {
  if (endpoint.status === "False") return "no";
  // Without balancers the endpoint leads past us.
  const way = situation.intent.mode === "none" ? "yes" : isReachable(situation);
  return endpoint.status === "Unknown" && way === "yes" ? "unknown" : way;
}

/** What everything hangs on comes first: credentials, the object itself, the network, balancers, members. */
function inOrder({ authentication, network, balancers, members, endpoint }: ReadyParts): readonly Part[] {
  return [authentication, network, balancers, members, endpoint];
}

function firstThat(status: Part["status"], parts: ReadyParts): Part | undefined {
  return inOrder(parts).find((part) => part.status === status);
}

function whyNot(situation: Situation, parts: ReadyParts): Failure {
  const { endpoint, members } = parts;
  // Refused, or one of its own steps failed: "too few balancers" is no cause.
  if (endpoint.status === "False" && endpoint.reason !== "EndpointNotReady" && endpoint.reason !== "EndpointMissing")
    return endpoint;
  const hasBegun = endpoint.status !== "False" || situation.observed.object.provisioned;
  if (hasBegun && isOpenAnywhere(situation)) return nobodyAnswers(members);
  return firstThat("False", parts) ?? endpoint;
}

function nobodyAnswers({ reason, message }: Part): Failure {
  return { reason, message: `no API server answers behind any load balancer: ${message}` };
}

/** Failures first, then what does not help however often it is done, what somebody has to decide, and what takes its time. */
function whyDeletionLasts({ plan, failures }: RoundResult): Failure {
  const repeated = plan.waits.find(({ reason }) => reason === "StepRepeated");
  const refused = plan.refusals.filter(({ reason }) => factsOf(reason).notice !== true);
  const why = failures[0] ?? repeated ?? refused[0] ?? mostSevere(plan.waits);
  const { reason = "EndpointDeleted", message = "everything that Mainstay made for it is being deleted" } = why ?? {};
  return { reason, message: `the object is being deleted: ${message}` };
}

/** That a zone, or the cluster, has no machine is how machines were placed, and nothing that is missing here. */
function whatIsMissing(parts: ReadyParts, { failures, plan }: RoundResult): Pick<Failure, "reason" | "message"> {
  const told = inOrder(parts).filter(({ reason }) => reason !== "ZoneWithoutMembers");
  const broken = told.find(({ status }) => status === "False");
  const held = parts.balancers.reason === "LastHealthyEndpoint" ? parts.balancers : undefined;
  // Of any part: a balancer's, the records', the object's own.
  const repeated = plan.waits.find(({ reason }) => reason === "StepRepeated");
  const missing = broken ?? failures[0] ?? held ?? repeated;
  if (missing !== undefined) return beside("not all is as asked", missing);
  const hidden = told.find(({ status }) => status === "Unknown");
  return hidden === undefined ? { reason: "AsExpected", message: "" } : beside("not all of it can be seen", hidden);
}

function beside(
  what: string,
  { reason, message = "" }: Omit<Failure, "message"> & { readonly message?: string },
): Failure {
  return { reason, message: `people can reach the API, and ${what}: ${message}` };
}
