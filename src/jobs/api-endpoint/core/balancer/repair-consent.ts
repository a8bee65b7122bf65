// Consent to repairs, the annotation mainstay.dev/repair: what it agrees to, and what is said of it.
//
//   true        each balancer whose repair has to be agreed to, one after the other: the next goes when the one before is back
//   az1,az3     those of these zones, though another may never come back, or machines behind it could not be put back
//
// It counts for as long as it stands, so that one left behind takes down a balancer that nobody has thought of yet. Therefore `true` never
// answers for a second one: it was given before the first one failed to come back.

import type { Lane, Refusal } from "../../../../core/plan.ts";
import { repairAnnotation } from "../../apis/annotations.ts";
import type { Repaired } from "../removal/leaving.ts";
import type { WantedBalancer } from "../situation/assignment.ts";
import { wholeness } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";

/** `in-turn`: while no other is away. `regardless`: it was named. A single balancer has nobody to wait for. */
export type RepairConsent = "none" | "in-turn" | "regardless";

export function repairConsent({ zone }: Pick<WantedBalancer, "zone">, { intent }: Situation): RepairConsent {
  const { repair, repairZones = [] } = intent.consents;
  if (zone === undefined) return repair ? "regardless" : "none";
  if (repairZones.includes(zone)) return "regardless";
  return repair ? "in-turn" : "none";
}

export const howToAgree = `annotate ${repairAnnotation}=true to agree`;

/** Where the general consent is not enough. */
export function howToName({ zone }: Pick<WantedBalancer, "zone">): string {
  return zone === undefined ? howToAgree : `annotate ${repairAnnotation}=${zone} to agree for this zone`;
}

/** `what` goes now, and without consent it would stay. */
export function agreedRepair(what: string, how: Repaired | "made again", lane: Lane, situation: Situation): Refusal {
  const message = `${what}, and ${how} although people may depend on it, because ${consent(situation)} agrees`;
  return { reason: "RepairAgreed", message, lane };
}

export function consentLeftBehind(situation: Situation): readonly Refusal[] {
  const { intent, assignment } = situation;
  const isWhole = assignment.wanted.every((wanted) => wholeness(wanted, situation) === "yes");
  const isGiven = assignment.wanted.some((wanted) => repairConsent(wanted, situation) !== "none");
  if (!(isGiven || intent.consents.repair) || !isWhole) return [];
  const message = `${consent(situation)}: nothing is to be repaired now; left in place it agrees to later repairs; take it off`;
  return [{ reason: "RepairAgreed", message }];
}

function consent({ intent }: Situation): string {
  const { repair, repairZones = [] } = intent.consents;
  return `annotation ${repairAnnotation}=${repair ? "true" : repairZones.join(",")}`;
}
