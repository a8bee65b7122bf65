// The condition `RoundFailed`, written by the engine. A round that fails before it can report leaves the status as it was, so that the
// object would look healthy. The condition exists only while rounds fail and has a field manager of its own. It is written once for
// each series of failures, even when their messages differ, because every write wakes the key.

import { apiVersionOf, type KubeObject, refOf } from "../../apis/kube/kube-object.ts";
import { completeConditions, conditionsOf, findCondition, type ReportedCondition } from "../../core/conditions.ts";
import { present } from "../../core/present.ts";
import type { Kube } from "../../ports/kube.ts";
import type { Feature } from "../feature.ts";
import type { Outcome } from "../round/outcome.ts";

export const roundFailed = "RoundFailed";
/** While the API server does not answer, the condition can be neither written nor read. */
const apiFailures: ReadonlySet<string> = new Set(["ApiUnreachable", "ApiTimeout", "ApiServerError", "ApiRateLimited"]);
/** A single failure is not reported: it may be chance. */
const failuresBeforeReport = 2;

export interface FailedRounds {
  /** Fenced. */
  readonly kube: Kube;
  readonly feature: Pick<Feature, "name" | "root">;
  /** As the caches have it. */
  readonly object: KubeObject;
  readonly nowMs: number;
}

/** Rounds in a row, this one included, that ended before they could report. */
export function failuresInARow(before: number, { name, round }: Outcome): number {
  return round === undefined && (name === "failed" || name === "isolated") ? before + 1 : 0;
}

/** Undefined: there is nothing to write. */
export function roundConditionChange(
  { name, why: [why] }: Outcome,
  failures: number,
  object: KubeObject,
): "set" | "remove" | undefined {
  const existing = findCondition(conditionsOf(object), roundFailed);
  if (failures === 0) return existing === undefined ? undefined : "remove";
  const isReported =
    why?.severity === "error" &&
    !apiFailures.has(why.reason) &&
    (failures >= failuresBeforeReport || name === "isolated");
  return isReported && existing === undefined ? "set" : undefined;
}

/** None: it has to be absent. */
export function roundConditions(change: "set" | "remove", { why: [why] }: Outcome): readonly ReportedCondition[] {
  if (change === "remove" || why === undefined) return [];
  const message = `the last attempt failed, and the rest of the status is older: ${why.text}`;
  return [{ type: roundFailed, status: "True", reason: why.reason, message }];
}

export async function writeRoundCondition(
  reported: readonly ReportedCondition[],
  { kube, feature, object, nowMs }: FailedRounds,
): Promise<void> {
  const { uid, resourceVersion, generation } = object.metadata;
  const conditions = completeConditions(reported, { previous: conditionsOf(object), generation, nowMs });
  const bound = {
    ...present({ uid, resourceVersion }),
  };
  const applied = {
    apiVersion: apiVersionOf(feature.root),
    kind: feature.root.kind,
    metadata: { ...refOf(object), ...bound },
    status: conditions.length === 0 ? {} : { conditions },
  };
  await kube.apply(feature.root, applied, {
    fieldManager: `mainstay-${feature.name}-rounds`,
    force: true,
    subresource: "status",
  });
}
