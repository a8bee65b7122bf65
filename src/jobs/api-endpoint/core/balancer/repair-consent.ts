// What is said of a consent to repairs: when something goes by it alone, and when it agrees to nothing now. It counts for as long as it stands, so
// that one left behind takes down a balancer that nobody has thought of yet.

import type { Lane, Refusal } from "../../../../core/plan.ts";
import { repairAnnotation } from "../../apis/annotations.ts";
import { wholeness } from "../situation/readiness.ts";
import type { Situation } from "../situation/situation.ts";

const consent = `annotation ${repairAnnotation}=true`;

/** `what` goes now, and without consent it would stay. */
export function agreedRepair(what: string, how: "failed over" | "rebuilt" | "made again", lane: Lane): Refusal {
  const message = `${what}, and ${how} although people may depend on it, because ${consent} agrees`;
  return { reason: "RepairAgreed", message, lane };
}

export function consentLeftBehind(situation: Situation): readonly Refusal[] {
  const { intent, assignment } = situation;
  const isWhole = assignment.wanted.every((wanted) => wholeness(wanted, situation) === "yes");
  if (!intent.consents.repair || !isWhole) return [];
  const message = `${consent}: nothing is to be repaired now; left in place it agrees to later repairs; take it off`;
  return [{ reason: "RepairAgreed", message }];
}
