// The condition Ready: people can reach the API through this object as it asks. One rule for every situation, and the first that holds counts:
//
//   False     the object is being deleted; or it is refused as a whole, so that nothing it asks for now is done; or its endpoint is not
//             complete; or no API server answers behind any balancer that lets people in; or none behind one that is in the DNS records
//             that we publish
//   Unknown   nobody can tell: the cloud does not answer, or is not asked, or the last balancer went because they are switched off
//   True      else. What is missing beside it (a zone, a port, a member) is said in the message, and is False in its own condition; so is a
//             step that is done again and again without effect, and what cannot be seen. DNS records that are not as asked, and lead to somebody, are
//             no less a way in
//
// What follows (`?` is Unknown; the table is also in docs/concepts/api-endpoint.md, and ready.test.ts tries every row):
//
//   situation                                        Ready  LoadBalancersReady  APIEndpointReady  MembersHealthy  NetworkReady
//   everything is as asked                           True   True                True              True            True
//   first creation, balancers are being made         False  False               False             ?               True
//   complete, and no machine is there yet            True   True                True              ?               True
//   a zone is dark, others serve                     True   True                True              False           True
//   a balancer is in ERROR, others serve             True   False               True              ?               True
//   all are in ERROR, and machines answer            ?      False               ?                 ?               True
//   API listeners or pools of all are in ERROR       ?      False               ?                 ?               True
//   a balancer is made again, others serve           True   False               True              False           True
//   a balancer is switched off by hand               True   False               True              False           True
//   a balancer says that it is dead, others serve    True   False               True              False           True
//   a balancer cannot be read, others serve          True   ?                   True              ?               True
//   a balancer cannot be read and does not answer    True   False               True              False           True
//   a port is being added                            True   False               True              True            True
//   an extra zone is mistyped                        True   False               True              False           False
//   DNS records cannot be written, one leads on      True   True                False             True            True
//   DNS records are kept at an address of nobody     False  True                False             True            True
//   DNS records that we publish may not be read      ?      True                ?                 True            True
//   the endpoint's address is on no balancer         False  True                False             True            True
//   the object is refused as a whole                 False  True                False             True            True
//   no machine answers in any zone                   False  True                True              False           True
//   Neutron does not answer                          ?      ?                   ?                 True            ?
//   Octavia does not answer                          ?      ?                   ?                 ?               ?
//   the credentials are refused                      ?      ?                   ?                 ?               ?
//   the credentials lead to another project          False  ?                   ?                 ?               ?
//   paused                                           ?      ?                   ?                 ?               ?
//   balancers are switched off, the last is kept     True   True                True              True            True
//   balancers are switched off, none is left         ?      True                True              True            True
//   the deletion waits for machines                  False  True                False             True            True

import { factsOf } from "../../../../core/reasons.ts";
import { rootCause } from "../../../../core/root-cause.ts";
import type { Answer } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";
import { causeOrder } from "./cause-order.ts";
import { condition, type Failure, isOfSecret, mostSevere, type Part, type RoundResult } from "./endpoint-condition.ts";
import { endpointBesideRecords } from "./endpoint-ready.ts";
import { publishedRecords, unreadRecords } from "./published-records.ts";
import { isOpenAnywhere, isReachable, isReachableThrough, leadsPastUs } from "./reach.ts";

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
  switch (canBeReached(situation, round)) {
    case "no":
      return condition("Ready", "False", whyNot(situation, parts, round));
    case "unknown":
      return condition("Ready", "Unknown", whyUnknown(situation, parts));
    case "yes":
      return condition("Ready", "True", whatIsMissing(situation, parts, round));
  }
}

function canBeReached(situation: Situation, round: RoundResult): Answer {
  const endpoint = endpointBesideRecords(situation, round);
  if (endpoint.status === "False") return "no";
  const through = isReachable(situation, publishedRecords(situation, round));
  const way = situation.intent.mode === "none" && through !== "yes" ? leadsPastUs(situation) : through;
  const isHidden = endpoint.status === "Unknown" || unreadRecords(situation) !== undefined;
  return isHidden && way === "yes" ? "unknown" : way;
}

function whyUnknown({ intent }: Situation, parts: ReadyParts): Failure | Part {
  if (intent.mode !== "none") return firstThat("Unknown", parts) ?? cannotTell(firstThat("False", parts));
  const message = `load balancers are switched off, and none lets people in any more: whether ${intent.endpoint?.host} leads to the API elsewhere, Mainstay cannot tell`;
  return { reason: "LoadBalancerUnwanted", message };
}

/** Each part is known, and yet not whether anybody answers behind those that let people in. */
function cannotTell(broken: Part | undefined): Failure {
  const message = "nobody can tell whether an API server answers behind a load balancer that lets people in";
  return broken === undefined
    ? { reason: "EndpointNotReady", message }
    : { reason: broken.reason, message: `${message}: ${broken.message}` };
}

/** Of equals the first counts. */
function inOrder({ authentication, network, balancers, members, endpoint }: ReadyParts): readonly Part[] {
  return [authentication, network, balancers, members, endpoint];
}

function firstThat(status: Part["status"], parts: ReadyParts): Part | undefined {
  return rootCause(
    inOrder(parts).filter((part) => part.status === status),
    causeOrder,
  );
}

function whyNot(situation: Situation, parts: ReadyParts, round: RoundResult): Failure {
  const { endpoint, members } = parts;
  const published = publishedRecords(situation, round);
  const isElseComplete = endpointBesideRecords(situation, round).status !== "False";
  if (published !== undefined && isElseComplete && isReachable(situation) !== "no")
    return recordsLeadNowhere(published, endpoint);
  // Refused, or one of its own steps failed: "too few balancers" is no cause.
  if (endpoint.status === "False" && endpoint.reason !== "EndpointNotReady" && endpoint.reason !== "EndpointMissing")
    return endpoint;
  const hasBegun = endpoint.status !== "False" || situation.observed.object.provisioned;
  if (hasBegun && isOpenAnywhere(situation)) return nobodyAnswers(members);
  return firstThat("False", parts) ?? endpoint;
}

/** Balancers serve, and nobody is sent to them. */
function recordsLeadNowhere(published: readonly string[], { status, reason, message }: Part): Failure {
  const named = published.length === 0 ? "there are none" : `they name ${published.join(", ")}`;
  const nowhere = `the DNS records lead to no machine: ${named}`;
  return status === "False"
    ? { reason, message: `${nowhere}; ${message}` }
    : { reason: "EndpointNotReady", message: nowhere };
}

function nobodyAnswers({ reason, message }: Part): Failure {
  return { reason, message: `no machine answers behind any load balancer: ${message}` };
}

/** Failures first, then what does not help however often it is done, what somebody has to decide, and what takes its time. */
function whyDeletionLasts({ plan, failures }: RoundResult): Failure {
  const repeated = plan.waits.find(({ reason }) => reason === "StepRepeated");
  const refused = plan.refusals.filter(({ reason }) => factsOf(reason).notice !== true);
  const why = failures.find((failed) => !isOfSecret(failed)) ?? repeated ?? refused[0] ?? mostSevere(plan.waits);
  const { reason = "EndpointDeleted", message = "everything that Mainstay made for it is being deleted" } = why ?? {};
  return { reason, message: `the object is being deleted: ${message}` };
}

/** That a zone, or the cluster, has no machine is how machines were placed, and nothing that is missing here. */
function whatIsMissing(
  situation: Situation,
  parts: ReadyParts,
  { failures, plan }: RoundResult,
): Pick<Failure, "reason" | "message"> {
  const through = waysWords(situation);
  const told = inOrder(parts).filter(({ reason }) => reason !== "ZoneWithoutMembers");
  const broken = rootCause(
    told.filter(({ status }) => status === "False"),
    causeOrder,
  );
  const held = parts.balancers.reason === "LastHealthyEndpoint" ? parts.balancers : undefined;
  // Of any part: a balancer's, the records', the object's own.
  const repeated = plan.waits.find(({ reason }) => reason === "StepRepeated");
  const missing = broken ?? failures[0] ?? held ?? repeated;
  if (missing !== undefined) return beside(through, "not everything works", missing);
  const hidden = rootCause(
    told.filter(({ status }) => status === "Unknown"),
    causeOrder,
  );
  return hidden === undefined
    ? { reason: "AsExpected", message: "" }
    : beside(through, "not all of it can be seen", hidden);
}

/** ` through az1 and az3`; empty where there are no zones, or none of them is known to serve. */
function waysWords(situation: Situation): string {
  const zones = situation.assignment.wanted.flatMap(({ zone, seen }) =>
    zone !== undefined && seen !== undefined && isReachableThrough(seen, situation) === "yes" ? [zone] : [],
  );
  if (zones.length === 0) return "";
  return ` through ${[zones.slice(0, -1).join(", "), zones.at(-1)].filter((part) => part !== "").join(" and ")}`;
}

function beside(
  through: string,
  what: string,
  { reason, message = "" }: Omit<Failure, "message"> & { readonly message?: string },
): Failure {
  return { reason, message: `the API can be reached${through}, but ${what}: ${message}` };
}
