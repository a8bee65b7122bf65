// Conditions as the API conventions require: one entry per type, the object's observedGeneration, and a transition time that changes
// exactly when the status does. A message that is too long for the API server is cut here.

import type { Condition } from "../apis/kube/kube-object.ts";
import { isRecord } from "../apis/text/problem.ts";
import { cutText, maxConditionMessage } from "./cut-text.ts";
import { present } from "./present.ts";

export type ReportedCondition = Omit<Condition, "lastTransitionTime">;

export interface ConditionContext {
  /** What the object carries now. */
  readonly previous: readonly Condition[];
  readonly generation?: number | undefined;
  readonly nowMs: number;
}

/** Our conditions, complete: in the order reported; of two with one type the later one counts. */
export function completeConditions(
  reported: readonly ReportedCondition[],
  { previous, generation, nowMs }: ConditionContext,
): readonly Condition[] {
  const before = new Map(previous.map((condition) => [condition.type, condition]));
  const byType = new Map(reported.map((condition) => [condition.type, condition]));
  return [...byType.values()].map((condition) => {
    const earlier = before.get(condition.type);
    const kept = earlier !== undefined && earlier.status === condition.status && earlier.lastTransitionTime !== "";
    const observedGeneration = condition.observedGeneration ?? generation;
    return {
      type: condition.type,
      status: condition.status,
      ...present({ observedGeneration }),
      lastTransitionTime: kept ? earlier.lastTransitionTime : kubeTime(nowMs),
      reason: condition.reason,
      message: cutText(condition.message, maxConditionMessage),
    };
  });
}

export function findCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** `status.conditions` of any object; entries that are not conditions are passed over. */
export function conditionsOf(object: unknown): readonly Condition[] {
  if (!isRecord(object) || !isRecord(object["status"])) return [];
  const list: unknown = object["status"]["conditions"];
  return Array.isArray(list) ? list.filter(isCondition) : [];
}

/** Whole seconds: the precision of metav1.Time. */
export function kubeTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Six digits after the point: metav1.MicroTime takes nothing else. */
export function kubeMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`;
}

function isCondition(entry: unknown): entry is Condition {
  return isRecord(entry) && typeof entry["type"] === "string" && typeof entry["status"] === "string";
}
