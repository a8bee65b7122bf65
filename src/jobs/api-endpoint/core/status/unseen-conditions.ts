// The conditions while the cloud does not answer, or is not asked: none of them goes away, and each is Unknown for the one cause. Only
// what Kubernetes alone can tell is known: whether the object is paused, refused or being deleted.

import type { ReportedCondition } from "../../../../core/conditions.ts";
import type { EndpointObserved } from "../model/observed.ts";
import { isDeadByProbe, unansweredWords } from "../situation/balancer-health.ts";
import { balancersUnseen } from "../situation/cloud-away.ts";
import { authenticated, pausedCondition } from "./conditions.ts";
import { condition, type Failure, isOfSecret, type RoundResult, together } from "./endpoint-condition.ts";

const unseenTypes = ["NetworkReady", "LoadBalancersReady", "APIEndpointReady", "MembersHealthy"];
/** There only while they are true, or while nobody can tell whether they still are. */
const passingTypes = ["LegacyLoadBalancerPresent", "LoadBalancerKept"];

export function unseenConditions(observed: EndpointObserved, round: RoundResult): readonly ReportedCondition[] {
  // Whether it works is not known while it is paused; Paused has the words.
  const refusals = observed.standing.is === "paused" ? [] : round.plan.refusals;
  const refused = refusals.length === 0 ? undefined : together(refusals);
  const why = round.failures.find((failed) => !isOfSecret(failed)) ?? refused ?? whyUnseen(observed);
  const { lastKnown = [] } = observed.recorded;
  const passing = passingTypes.filter((passed) => lastKnown.some(({ type }) => type === passed));
  const isRefused = refused !== undefined || observed.intent.deleting;
  const withProbes = { ...why, message: [why.message, ...unanswered(observed)].join("; ") };
  return [
    condition("Ready", isRefused ? "False" : "Unknown", observed.intent.deleting ? heldUp(withProbes) : withProbes),
    authenticated(observed),
    ...[...unseenTypes, ...passing].map((type) =>
      condition(type, "Unknown", type === "LoadBalancersReady" ? withProbes : why),
    ),
    pausedCondition(observed),
  ];
}

/** A deletion needs the cloud, too. */
function heldUp(why: Failure): Failure {
  return { ...why, message: `the object is being deleted, and this holds it up: ${why.message}` };
}

/** The cloud hides them, and nobody answers there. */
function unanswered(observed: EndpointObserved): readonly string[] {
  const { zones, single } = observed.recorded;
  const named = [
    ...zones.map(({ zone, id }) => ({ id, name: zone })),
    ...(zones.length > 0 || single === undefined ? [] : [{ id: single.id, name: single.name ?? "the load balancer" }]),
  ];
  return named.flatMap(({ id, name }) =>
    id !== undefined && isDeadByProbe(id, observed) ? [`${name}: ${unansweredWords}`] : [],
  );
}

function whyUnseen({ standing, balancers, places }: EndpointObserved): Failure {
  if (balancers.known) return { reason: "EndpointNotReady", message: "the cloud was not asked" };
  if (standing.is !== "ours") return balancers;
  return balancersUnseen(balancers, { places });
}
