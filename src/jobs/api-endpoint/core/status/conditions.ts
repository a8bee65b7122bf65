// The conditions of an endpoint. Zones have no condition each: their truth stands in their entry of the status list, which grows with
// them, and is rolled up here by name.
//
//   OpenStackAuthenticationSucceeded   the credentials were taken
//   NetworkReady                       networks and subnets were found, each where it should be; what was assumed about them is said
//   LoadBalancersReady                 every wanted balancer is whole; else the zones that are not
//   MembersHealthy                     every balancer has healthy members only, and every machine is behind one; else who is not. Where
//                                      nothing watches them it says so
//   APIEndpointReady                   the cluster has an endpoint, and enough balancers behind it
//   LegacyLoadBalancerPresent          only while there is one
//   LoadBalancerKept                   only while balancers are switched off and the last one is kept
//   Paused                             hands off
//   Ready                              all of these that say whether it works: members that are down do not make it false

import type { ReportedCondition } from "../../../../core/conditions.ts";
import type { Lane } from "../../../../core/plan.ts";
import { factsOf, type Word } from "../../../../core/reasons.ts";
import type { EndpointObserved } from "../model/observed.ts";
import { hasEnough, isWhole, whyNotWhole } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";
import { asExpected, condition, type Failure, type Part, type RoundResult, together } from "./endpoint-condition.ts";
import { membersHealthy, type ShownBalancer } from "./members-healthy.ts";

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
  const parts = [
    authenticated(situation.observed),
    networkReady(situation, round),
    balancersReady(situation, round),
    endpointReady(situation, round),
  ];
  const present = (type: string, reason: Word) =>
    round.plan.refusals.filter((one) => one.reason === reason).map((one) => condition(type, "True", one));
  return [
    ready(parts, round),
    ...parts,
    membersHealthy(situation, balancers, round),
    ...present("LegacyLoadBalancerPresent", "LegacyLoadBalancerPresent"),
    ...present("LoadBalancerKept", "LastLoadBalancerKept"),
    pausedCondition(situation.observed),
  ];
}

export function pausedCondition({ standing }: EndpointObserved): ReportedCondition {
  return standing.is === "paused"
    ? condition("Paused", "True", standing)
    : condition("Paused", "False", { reason: "AsExpected", message: "" });
}

/** When nothing but credentials or the list of balancers can be spoken of. */
export function blindConditions(
  observed: EndpointObserved,
  { plan, failures }: RoundResult,
): readonly ReportedCondition[] {
  const unseen = observed.balancers.known ? undefined : observed.balancers;
  // Whether it works is not known while it is paused; Paused has the words.
  const refusals = observed.standing.is === "paused" ? [] : plan.refusals;
  const refused = refusals.length === 0 ? undefined : together(refusals);
  const why: Failure = failures[0] ?? refused ?? unseen ?? { reason: "EndpointNotReady", message: "" };
  return [
    condition("Ready", unseen === undefined || refused !== undefined ? "False" : "Unknown", why),
    authenticated(observed),
    pausedCondition(observed),
  ];
}

function authenticated({ standing, balancers, places, capabilities }: EndpointObserved): Part {
  const type = "OpenStackAuthenticationSucceeded";
  const unseen = [balancers, places, capabilities].flatMap((part) => (part.known ? [] : [part]));
  const refused = unseen.find(({ reason }) => ["OpenStackNotAuthenticated", "CredentialsUnusable"].includes(reason));
  if (refused !== undefined) return condition(type, "False", refused);
  // They were taken; that they lead elsewhere is another matter.
  if (standing.is === "elsewhere") return asExpected(type);
  return unseen.length === 3 && unseen[0] !== undefined ? condition(type, "Unknown", unseen[0]) : asExpected(type);
}

function networkReady({ observed }: Situation, { plan }: RoundResult): Part {
  const broken = plan.refusals.filter(({ reason }) => networkReasons.has(reason));
  if (broken.length > 0) return condition("NetworkReady", "False", together(broken));
  if (!observed.places.known) return condition("NetworkReady", "Unknown", observed.places);
  const assumed = plan.refusals.filter(({ reason }) => reason === "NodeNetworkUnnamed");
  return assumed.length === 0 ? asExpected("NetworkReady") : condition("NetworkReady", "True", together(assumed));
}

function balancersReady(situation: Situation, { plan, failures }: RoundResult): Part {
  const isStuck = ({ part }: Lane) =>
    plan.waits.some((wait) => wait.lane?.part === part && wait.reason === "LoadBalancerStuck");
  const broken = situation.assignment.wanted.filter(
    (wanted) => wanted.role !== "fallback" && (!isWhole(wanted, situation) || isStuck(wanted.lane)),
  );
  if (broken.length === 0) return { ...asExpected("LoadBalancersReady"), message: unwantedWords(situation) };
  const why = broken.flatMap((wanted) => {
    const { lane, zone = lane.part } = wanted;
    const inZone = plan.refusals.map(({ messageInPart, ...one }) => ({
      ...one,
      message: messageInPart ?? one.message,
    }));
    const said = [...failures, ...inZone, ...plan.waits].find((one) => one.lane?.part === lane.part);
    const message = `${zone}: ${said?.message ?? whyNotWhole(wanted, situation)}`;
    return [{ reason: said?.reason ?? "EndpointNotReady", message } as const];
  });
  return condition("LoadBalancersReady", "False", together(why));
}

function unwantedWords({ intent, assignment }: Situation): string {
  return intent.mode === "none" && assignment.unwanted.length === 0 ? "none are wanted, and none are there" : "";
}

function endpointReady(situation: Situation, { plan, failures }: RoundResult): Part {
  const type = "APIEndpointReady";
  const { intent, observed } = situation;
  const { host = "", port = 0 } = intent.endpoint ?? {};
  const refused = plan.refusals.filter(({ reason }) =>
    ["EndpointSpecInvalid", "EndpointNotDnsName", "EndpointUndetermined"].includes(reason),
  );
  if (refused.length > 0) return condition(type, "False", together(refused));
  if (host === "" || port === 0)
    return condition(
      type,
      "False",
      failures[0] ?? { reason: "EndpointMissing", message: "the cluster has no endpoint yet" },
    );
  const isUp =
    intent.mode === "none" || hasEnough(situation) || (observed.object.provisioned && situation.ways.length > 0);
  return isUp
    ? asExpected(type)
    : condition(type, "False", { reason: "EndpointNotReady", message: "too few balancers are whole" });
}

function ready(parts: readonly Part[], { failures, plan }: RoundResult): ReportedCondition {
  const isFalse = ({ status }: Part) => status === "False";
  // What keeps it from working says more than what merely is not done yet.
  const broken =
    parts.find((part) => isFalse(part) && factsOf(part.reason).severity === "error") ??
    parts.find(isFalse) ??
    parts.find(({ status }) => status === "Unknown");
  if (broken !== undefined) return { ...broken, type: "Ready" };
  const failure = failures[0] ?? plan.refusals.find(({ reason }) => reason === "DnsEndpointForeign");
  return failure === undefined ? asExpected("Ready") : condition("Ready", "False", failure);
}
