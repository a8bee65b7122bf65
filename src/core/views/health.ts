// An object's health in one word and one sentence: the worst of its conditions and its latest plans.
//
//   degraded      an attempt failed, or a promise is broken by an error or by something that should heal
//   refused       a promise is broken, or a change refused, until somebody changes something
//   progressing   something is done or waited for, or the object changed after its conditions were written
//   unknown       nothing is reported, or it could not be observed
//   healthy       the rest
//
// `unhealthy` is a part's alone (parts.ts).

import type { Headline } from "../job/declaration.ts";
import type { PlanRecord } from "../plan-record.ts";
import { present } from "../present.ts";
import { factsOf, isWord } from "../reasons.ts";
import { rootCause } from "../root-cause.ts";
import { sayingWhoActs } from "../who-acts.ts";
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
  readonly headline?: Headline | undefined;
}

/** Worst first. */
export const healthOrder: readonly Health[] = ["unhealthy", "degraded", "refused", "progressing", "unknown", "healthy"];

export function healthOf({ conditions, plans, deleting, headline }: HealthInput): HealthResult {
  const results = [
    ...plans.flatMap(failuresOf),
    ...conditions.flatMap(conditionResults),
    ...plans.flatMap(intentsOf),
    ...(deleting ? [{ health: "progressing" as const, sentence: "Is being deleted." }] : []),
  ];
  const worst = healthOrder
    .map((health) => results.find((result) => result.health === health))
    .find((result) => result !== undefined);
  if (worst !== undefined)
    return closed(
      headline === undefined ? worst : { ...worst, ...headlineOf({ worst, results, conditions, headline }) },
    );
  return conditions.length === 0 && plans.length === 0
    ? {
        health: "unknown",
        sentence:
          "Nothing has been reported yet. You have to act if this lasts: mainstay doctor says whether a manager runs.",
      }
    : { health: "healthy", sentence: "Everything is as it should be." };
}

/** Ends with who acts next. Without a reason it is something that Mainstay is doing. */
function closed(result: HealthResult): HealthResult {
  const { sentence: told, reason = "" } = result;
  const who = reason === "" ? "mainstay" : undefined;
  return { ...result, sentence: sentence(sayingWhoActs(told, reason, who)) };
}

interface Told {
  readonly worst: HealthResult;
  readonly results: readonly HealthResult[];
  readonly conditions: readonly ConditionView[];
  readonly headline: Headline;
}

/** How bad it is says the worst; what it is, the condition that sums up, which names the root cause, or else the root among the rest. */
function headlineOf({ worst, results, conditions, headline }: Told): Omit<HealthResult, "health"> {
  const sum = conditions.find(({ type }) => type === headline.condition);
  const isTold = sum !== undefined && !sum.outdated && sum.reason !== "AsExpected" && sum.message !== "";
  // A condition that is the problem itself, such as Paused, says it best.
  const itself = conditions.find(({ good, status, reason }) => !good && status === "True" && reason === sum?.reason);
  if (isTold) return { sentence: itself?.words ?? sentence(sum.message), reason: sum.reason };
  const said = results.flatMap(({ reason = "", ...result }) => (reason === "" ? [] : [{ ...result, reason }]));
  const { sentence: told, reason } = rootCause(said, headline.order) ?? worst;
  return { sentence: told, ...present({ reason }) };
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
      .map(({ words, because, result }) => ({
        health: "progressing" as const,
        sentence: sentence(`${result === "done" ? "done" : "next"}: ${words}`),
        reason: because,
      })),
    ...waits.map(({ reason, message }) => ({
      health: "progressing" as const,
      sentence: sentence(`waits: ${message}`),
      reason,
    })),
  ];
}
