// How an object fares, in one word and one sentence: the worst of what its conditions and the latest plans say.
//
//   degraded      an attempt failed, or a promise is broken by an error or by something that should heal
//   refused       a promise is broken, or a change refused, until somebody changes something
//   progressing   something is done or waited for, or the object changed since it was last judged
//   unknown       nothing is reported, or it cannot be told
//   healthy       the rest

import type { PlanRecord } from "../plan-record.ts";
import { factsOf, isWord } from "../reasons.ts";
import { sentence } from "./explained.ts";
import type { ConditionView, Health } from "./object-view.ts";

export interface Verdict {
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

export function healthOf({ conditions, plans, deleting }: HealthInput): Verdict {
  const verdicts = [
    ...plans.flatMap(troublesOf),
    ...conditions.flatMap(conditionVerdict),
    ...plans.flatMap(intentsOf),
    ...(deleting ? [{ health: "progressing" as const, sentence: "Is being deleted." }] : []),
  ];
  const worst = healthOrder
    .map((health) => verdicts.find((verdict) => verdict.health === health))
    .find((verdict) => verdict !== undefined);
  if (worst !== undefined) return worst;
  return conditions.length === 0 && plans.length === 0
    ? { health: "unknown", sentence: "Nothing has been reported yet." }
    : { health: "healthy", sentence: "Everything is as it should be." };
}

/** What a reason means for whoever looks at the object it stands on. */
export function healthOfReason(reason: string): Health {
  if (!isWord(reason)) return "degraded";
  const { retry, severity } = factsOf(reason);
  // Looked at again by itself, and yet nothing gets better before somebody acts.
  if (retry === "wait" && severity === "error") return "refused";
  if (retry === "wait" || (retry === "backoff" && severity === "info")) return "progressing";
  return retry === "on-change" && severity !== "error" ? "refused" : "degraded";
}

function conditionVerdict({ good, status, reason, words, outdated, type }: ConditionView): readonly Verdict[] {
  const late = sentence(`${type} speaks of an older version of the object`);
  const stale: readonly Verdict[] = outdated ? [{ health: "progressing", sentence: late }] : [];
  if (good) return stale;
  const health = status === "Unknown" ? "unknown" : healthOfReason(reason);
  return [{ health, sentence: words, reason }, ...stale];
}

function troublesOf({ actions, troubles }: PlanRecord): readonly Verdict[] {
  const failed = actions.filter(({ result }) => result === "failed").flatMap(({ failure }) => failure ?? []);
  return [...troubles, ...failed].map(({ reason, message }) => ({
    health: healthOfReason(reason) === "progressing" ? "progressing" : "degraded",
    sentence: sentence(message),
    reason,
  }));
}

function intentsOf({ actions, waits, refusals }: PlanRecord): readonly Verdict[] {
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
