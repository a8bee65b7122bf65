// The balancer from before the zones, and what becomes of it. Whether it is adopted, and by whom, is the planner's own decision
// (assignment.ts); here it is only put into words.

import type { LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { adoptLegacyAnnotation } from "../../apis/annotations.ts";
import { balancerDescription, singleName } from "../model/names.ts";
import type { BalancerObserved } from "../model/observed.ts";
import { hasOwnerTag, ownerTag } from "../model/ownership.ts";
import { publicAddress } from "../situation/public-address.ts";
import type { Situation } from "../situation/situation.ts";

export interface LegacyBalancer {
  readonly seen: BalancerObserved;
  /** `zone`: it becomes that zone's balancer. `fall-back`: it stays with all machines. `left`: it is nobody's business of ours. */
  readonly outcome: { readonly is: "zone"; readonly zone: string } | { readonly is: "fall-back" | "left" };
  readonly why: string;
  /** Where people reach it now. */
  readonly address: string | undefined;
  /** What would make it adoptable. */
  readonly fix?: string;
}

export function legacyBalancer(situation: Situation): LegacyBalancer | undefined {
  const { assignment, intent, observed } = situation;
  const name = singleName(intent.cluster);
  const zoneBalancer = assignment.wanted.find(({ role, seen }) => role === "zone" && seen?.balancer.name === name);
  if (zoneBalancer?.seen !== undefined && zoneBalancer.zone !== undefined)
    return adopted(zoneBalancer.seen, { is: "zone", zone: zoneBalancer.zone }, situation);
  const kept = assignment.wanted.find(({ role }) => role === "fallback");
  if (kept?.seen !== undefined) return adopted(kept.seen, { is: "fall-back" }, situation);
  const foreign = observed.balancers.known
    ? observed.balancers.value.find(
        ({ balancer }) => balancer.name === name && !hasOwnerTag(balancer.tags, situation.ownerId),
      )
    : undefined;
  if (foreign === undefined) return undefined;
  const address = publicAddress(observed, foreign).address;
  return { seen: foreign, outcome: { is: "left" }, address, ...refusalOf(foreign.balancer, situation) };
}

/** A zone has a balancer of its own, and none from before plays a part any more. */
export function hasMoved({ assignment }: Situation, legacy: LegacyBalancer | undefined): boolean {
  const isOwn = assignment.wanted.some(({ role, seen }) => role === "zone" && seen !== undefined);
  return isOwn && (legacy === undefined || legacy.outcome.is === "left");
}

function adopted(seen: BalancerObserved, outcome: LegacyBalancer["outcome"], situation: Situation): LegacyBalancer {
  const { observed, intent, ownerId } = situation;
  const { balancer } = seen;
  const why = hasOwnerTag(balancer.tags, ownerId)
    ? "it bears our mark"
    : observed.recorded.single?.id === balancer.id
      ? "name and description are this cluster's, and the object's status holds its id"
      : intent.consents.adoptLegacy
        ? `name and description are this cluster's, and ${adoptLegacyAnnotation}=true allows it`
        : "name and description are this cluster's, and it holds the cluster's endpoint";
  return { seen, outcome, why, address: publicAddress(observed, seen).address };
}

function refusalOf(balancer: LoadBalancer, { intent }: Situation): Pick<LegacyBalancer, "why" | "fix"> {
  const owner = balancer.tags.find((tag) => tag.startsWith(ownerTag("")));
  if (intent.door === "APIEndpoint")
    return { why: "through an APIEndpoint a balancer of CAPO's is never adopted, renamed or deleted" };
  if (owner !== undefined) return { why: `its tag ${owner} says that it is another object's` };
  if (balancer.description !== balancerDescription(intent.cluster))
    return { why: `its description is "${balancer.description}", which is not this cluster's` };
  return {
    why: "its name is this cluster's, but its id is not in the object's status and it does not hold the endpoint",
    fix: `If it is this cluster's, annotate the object with ${adoptLegacyAnnotation}=true.`,
  };
}
