// The conditions of an endpoint. Zones have no condition each: their truth stands in their entry of the status list, which grows with
// them, and is rolled up here by name. A condition that people may wait for is always there, and Unknown while nobody can tell.
//
//   OpenStackAuthenticationSucceeded   the credentials were taken
//   NetworkReady                       networks and subnets were found, each where it should be; what was assumed about them is said
//   LoadBalancersReady                 every wanted balancer is whole; else the zones that are not. One that must stay unwanted is said, and
//                                      what is done to one again and again without effect
//   MembersHealthy                     every balancer has healthy members only, and every machine is behind one; else who is not. Where
//                                      nothing watches them it says so
//   APIEndpointReady                   the cluster has an endpoint as asked, and enough balancers behind it
//   LegacyLoadBalancerPresent          only while there is one
//   LoadBalancerKept                   only while balancers are switched off and the last one is kept
//   Paused                             hands off
//   Ready                              people can reach the API through it as asked: ready.ts

import type { ReportedCondition } from "../../../../core/conditions.ts";
import type { Lane } from "../../../../core/plan.ts";
import type { Word } from "../../../../core/reasons.ts";
import { rootFirst } from "../../../../core/root-cause.ts";
import type { EndpointObserved } from "../model/observed.ts";
import { existingBalancers } from "../situation/assignment.ts";
import { isAway, notAnswered } from "../situation/cloud-away.ts";
import { healthBehind } from "../situation/health.ts";
import { type Answer, wholeness } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";
import { causeOrder } from "./cause-order.ts";
import { asExpected, condition, isOfSecret, type Part, type RoundResult, together } from "./endpoint-condition.ts";
import { endpointReady } from "./endpoint-ready.ts";
import { type Lacking, whatItLacks } from "./incomplete.ts";
import { errorBecauseOfMachines } from "./machine-words.ts";
import { membersHealthy, type ShownBalancer } from "./members-healthy.ts";
import { readyCondition } from "./ready.ts";

const networkReasons: ReadonlySet<Word> = new Set([
  "NetworkUnresolved",
  "SubnetUnresolved",
  "NodePlaceUnresolved",
  "SubnetNotInNetwork",
  "SubnetDuplicate",
  "ExternalNetworkUnresolved",
]);

export function endpointConditions(
  situation: Situation,
  balancers: readonly ShownBalancer[],
  round: RoundResult,
): readonly ReportedCondition[] {
  const authentication = withUnheldSecret(authenticated(situation.observed), round);
  const network = networkReady(situation, round);
  const complete = balancersReady(situation, round);
  const endpoint = endpointReady(situation, round);
  const members = membersHealthy(situation, balancers, round, complete);
  const present = (type: string, reason: Word) =>
    round.plan.refusals.filter((one) => one.reason === reason).map((one) => condition(type, "True", one));
  return [
    readyCondition(situation, { authentication, network, balancers: complete, members, endpoint }, round),
    authentication,
    network,
    complete,
    endpoint,
    members,
    ...present("LegacyLoadBalancerPresent", "LegacyLoadBalancerPresent"),
    ...present("LoadBalancerKept", "LastLoadBalancerKept"),
    pausedCondition(situation.observed),
  ];
}

export function pausedCondition({ standing }: EndpointObserved): Part {
  return standing.is === "paused"
    ? condition("Paused", "True", standing)
    : condition("Paused", "False", { reason: "AsExpected" });
}

export function authenticated({ standing, balancers, places, capabilities }: EndpointObserved): Part {
  const type = "OpenStackAuthenticationSucceeded";
  const unseen = [balancers, places, capabilities].flatMap((part) => (part.known ? [] : [part]));
  const refused = unseen.find(({ reason }) => ["OpenStackNotAuthenticated", "CredentialsUnusable"].includes(reason));
  if (refused !== undefined) return condition(type, "False", refused);
  // They were taken; that they lead elsewhere is another matter.
  if (standing.is === "elsewhere") return asExpected(type);
  // Places and capabilities may be remembered: balancers are asked for in every round, and where no connection comes about nobody takes credentials.
  const isUnanswered = unseen.length === 3 || (!balancers.known && isAway(balancers));
  return isUnanswered && unseen[0] !== undefined
    ? condition(type, "Unknown", notAnswered(unseen[0]))
    : asExpected(type);
}

/** The credentials do, and the guard of their Secret (credentials/held-secret.ts) is missing: nothing serves any worse for it. */
function withUnheldSecret(authentication: Part, { failures }: RoundResult): Part {
  const failed = failures.find(isOfSecret);
  return failed === undefined || authentication.status !== "True"
    ? authentication
    : condition(authentication.type, "True", failed);
}

function networkReady({ observed }: Situation, { plan }: RoundResult): Part {
  const broken = plan.refusals.filter(({ reason }) => networkReasons.has(reason));
  if (broken.length > 0) return condition("NetworkReady", "False", together(broken));
  if (!observed.places.known) return condition("NetworkReady", "Unknown", notAnswered(observed.places, "Neutron"));
  const assumed = plan.refusals.filter(({ reason }) => reason === "NodeNetworkUnnamed");
  return assumed.length === 0 ? asExpected("NetworkReady") : condition("NetworkReady", "True", together(assumed));
}

function balancersReady(situation: Situation, round: RoundResult): Part {
  const type = "LoadBalancersReady";
  const isStuck = ({ part }: Lane) =>
    round.plan.waits.some((wait) => wait.lane?.part === part && wait.reason === "LoadBalancerStuck");
  const those = (answer: Answer) =>
    situation.assignment.wanted.filter(
      (wanted) => wanted.role !== "fallback" && (isStuck(wanted.lane) ? "no" : wholeness(wanted, situation)) === answer,
    );
  const broken = those("no");
  if (broken.length > 0) {
    const why = broken.map((wanted) => {
      const { lane, zone = lane.part } = wanted;
      const { reason, message } = saidOf(lane, round) ?? withNextStep(whatItLacks(wanted, situation), lane, round);
      return { reason, message: `${zone}: ${message}` };
    });
    return condition(type, "False", together([...why, ...repeatedOn(situation, round, broken)]));
  }
  const hidden = those("unknown");
  if (hidden.length > 0) return condition(type, "Unknown", hiddenBecause(hidden, situation));
  // All that are wanted are whole; one that is not wanted, and must stay, is told beside them.
  const held = round.plan.refusals.filter(({ reason }) => reason === "LastHealthyEndpoint");
  const beside = [...held, ...repeatedOn(situation, round)];
  if (beside.length > 0) return condition(type, "True", together(beside));
  return { ...asExpected(type), message: unwantedWords(situation) || errorWords(situation) };
}

/** Octavia says ERROR of a balancer also where its machines alone are to blame: MembersHealthy tells that. */
function errorWords({ assignment, observed, intent }: Situation): string {
  const inError = existingBalancers(assignment).filter(
    ({ seen, role }) =>
      role !== "fallback" &&
      seen.balancer.operatingStatus === "ERROR" &&
      healthBehind(seen, intent.apiPort, observed) === "bad",
  );
  return inError.map(({ zone, name }) => `${zone ?? name}: complete; ${errorBecauseOfMachines}`).join("; ");
}

/** Steps that do not last, on balancers that nothing else was said of: they are whole, and somebody keeps changing them. */
function repeatedOn(
  { assignment }: Situation,
  { plan }: RoundResult,
  besides: readonly { readonly lane: Lane }[] = [],
): readonly Lacking[] {
  const said = new Set(besides.map(({ lane }) => lane.part));
  const parts = new Set([...assignment.wanted, ...assignment.unwanted].map(({ lane }) => lane.part));
  return plan.waits.flatMap(({ reason, message = "", lane: { part } = { part: "" } }) =>
    reason === "StepRepeated" && parts.has(part) && !said.has(part) ? [{ reason, message }] : [],
  );
}

/** What the round has to say of a balancer: failures first, then what was done and does not help, what is refused, what is waited for. */
function saidOf({ part }: Lane, { plan, failures }: RoundResult): Lacking | undefined {
  const refusals = plan.refusals.map(({ messageInPart, ...one }) => ({
    ...one,
    message: messageInPart ?? one.message,
  }));
  const repeated = plan.waits.filter(({ reason }) => reason === "StepRepeated");
  const told = [...failures, ...repeated, ...rootFirst(refusals, causeOrder), ...plan.waits];
  const said = told.find(({ lane }) => lane?.part === part);
  return said?.message === undefined ? undefined : { reason: said.reason, message: said.message };
}

/** What the plan does about a balancer in ERROR: the condition and the plan tell the same. */
function withNextStep(lacking: Lacking, { part }: Lane, { plan }: RoundResult): Lacking {
  if (lacking.reason !== "LoadBalancerInError") return lacking;
  const steps = plan.actions.filter(({ lane }) => lane?.part === part).map(({ kind }) => kind);
  const next = steps.includes("failover-load-balancer")
    ? "it is being failed over"
    : steps.includes("delete-load-balancer")
      ? "it is being deleted, and is created again with the same address"
      : undefined;
  return next === undefined ? lacking : { ...lacking, message: `${lacking.message}; ${next}` };
}

function hiddenBecause(hidden: Situation["assignment"]["wanted"], { observed }: Situation) {
  const { floatingIps } = observed;
  const unread = hidden.flatMap(({ seen, lane, zone = lane.part }) =>
    seen === undefined || seen.tree.known ? [] : [{ zone, ...notAnswered(seen.tree, "Octavia") }],
  );
  if (unread.length > 0)
    return together(unread.map(({ zone, reason, message }) => ({ reason, message: `${zone}: ${message}` })));
  if (!floatingIps.known) return notAnswered(floatingIps, "Neutron");
  return together([]);
}

function unwantedWords({ intent, assignment }: Situation): string {
  if (intent.deleting) return "none are wanted: the object is being deleted";
  return intent.mode === "none" && assignment.unwanted.length === 0 ? "none are wanted, and none are there" : "";
}
