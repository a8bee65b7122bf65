// An object's health in one word and one sentence: the worst of its conditions and its latest plans.
//
//   degraded      an attempt failed, or a promise is broken by an error or by something that should heal
//   refused       a promise is broken, or a change refused, until somebody changes something
//   progressing   something is done or waited for, or the object changed after its conditions were written
//   unknown       nothing is reported, or it could not be observed
//   healthy       the rest

import type { PlanRecord } from "../plan-record.ts";
import { factsOf, isWord } from "../reasons.ts";
import { sentence } from "./explained.ts";
import type { ConditionView, Health } from "./object-view.ts";

export interface HealthResult {
  readonly health: Health;
  readonly sentence: string;
  readonly reason?: string;
}

export interface HealthInput {
  readonly conditions: readonly ConditionView[];
  readonly plans: readonly PlanRecord[];
  readonly deleting: boolean;
}

/** Worst first. */
export const healthOrder: readonly Health[] = ["degraded", "refused", "progressing", "unknown", "healthy"];

export function healthOf({ conditions, plans, deleting }: HealthInput): HealthResult {
  const results = [
    ...plans.flatMap(failuresOf),
    ...conditions.flatMap(conditionResults),
    ...plans.flatMap(intentsOf),
    ...(deleting ? [{ health: "progressing" as const, sentence: "Is being deleted." }] : []),
  ];
  const worst = healthOrder
    .map((health) => results.find((result) => result.health === health))
    .find((result) => result !== undefined);
  if (worst !== undefined) return worst;
  return conditions.length === 0 && plans.length === 0
    ? { health: "unknown", sentence: "Nothing has been reported yet." }
    : { health: "healthy", sentence: "Everything is as it should be." };
}

/** The health of an object with this reason. */
export function healthOfReason(reason: string): Health {
  if (!isWord(reason)) return "degraded";
  const { retry, severity } = factsOf(reason);
  // Rechecked regularly, but it does not end before somebody acts.
  if (retry === "wait" && severity === "error") return "refused";
  if (retry === "wait" || (retry === "backoff" && severity === "info")) return "progressing";
  return retry === "on-change" && severity !== "error" ? "refused" : "degraded";
}

function conditionResults({ good, status, reason, words, outdated, type }: ConditionView): readonly HealthResult[] {
  const late = sentence(`${type} was written for an older version of the object`);
  const stale: readonly HealthResult[] = outdated ? [{ health: "progressing", sentence: late }] : [];
  if (good) return stale;
  const health = status === "Unknown" ? "unknown" : healthOfReason(reason);
  return [{ health, sentence: words, reason }, ...stale];
}

function failuresOf({ actions, troubles }: PlanRecord): readonly HealthResult[] {
  const failed = actions.filter(({ result }) => result === "failed").flatMap(({ failure }) => failure ?? []);
  return [...troubles, ...failed].map(({ reason, message }) => ({
    health: healthOfReason(reason) === "progressing" ? "progressing" : "degraded",
    sentence: sentence(message),
    reason,
  }));
}

function intentsOf({ actions, waits, refusals }: PlanRecord): readonly HealthResult[] {
  return [
    ...refusals.map(({ reason, message }) => ({ health: healthOfReason(reason), sentence: sentence(message), reason })),
    ...actions
      .filter(({ result }) => result !== "failed")
      .map(({ action, because, result }) => ({
        health: "progressing" as const,
        sentence: sentence(`${result === "done" ? "has just done" : "is to do"}: ${action}, because ${because}`),
        reason: because,
      })),
    ...waits.map(({ reason, message }) => ({
      health: "progressing" as const,
      sentence: sentence(`waits: ${message}`),
      reason,
    })),
  ];
}
