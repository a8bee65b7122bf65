// The end of the headline: who acts next. The plan knows more than the reason alone: what it refuses waits for a person, and what it does is being done.

import type { ReportedCondition } from "../../../../core/conditions.ts";
import { factsOf, isWord, type WhoActs } from "../../../../core/reasons.ts";
import { sayingWhoActs } from "../../../../core/who-acts.ts";
import type { RoundResult } from "./endpoint-condition.ts";

/** Of Ready, which people read first; a condition that has nothing to tell stays as it is. */
export function closedHeadline<T extends ReportedCondition>(condition: T, round: RoundResult): T {
  const { type, reason, message } = condition;
  if (type !== "Ready" || reason === "AsExpected" || message === "" || !isWord(reason)) return condition;
  return { ...condition, message: sayingWhoActs(message, reason, whoActs(reason, round)) };
}

function whoActs(reason: ReportedCondition["reason"], { plan, failures }: RoundResult): WhoActs | undefined {
  if (!isWord(reason)) return undefined;
  const { notice, whoActs: usual } = factsOf(reason);
  if (notice === true) return usual;
  const isOf = (one: { readonly reason: string }) => one.reason === reason;
  if (plan.refusals.some(isOf)) return "you";
  if (failures.some(isOf)) return usual === "mainstay" ? "later" : usual;
  if (plan.actions.some(({ because }) => because === reason)) return "mainstay";
  return plan.waits.some(isOf) && usual === "mainstay" ? "later" : usual;
}
