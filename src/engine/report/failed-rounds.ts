// Rounds that end before they can report leave the status as it was, and an object whose rounds all end so looks as well as it did
// before. So the engine says it in a condition of its own, `RoundFailed`, which is there only meanwhile and belongs to a field manager of
// its own. Written once for each run of failures, whatever their words: a write wakes the key.

import { apiVersionOf, type KubeObject, refOf } from "../../apis/kube/kube-object.ts";
import { completeConditions, conditionsOf, findCondition } from "../../core/conditions.ts";
import { present } from "../../core/present.ts";
import type { Kube } from "../../ports/kube.ts";
import type { Feature } from "../feature.ts";
import type { Outcome } from "../round/outcome.ts";

export const roundFailed = "RoundFailed";
/** An API server that is away cannot be told so, and whoever asks it knows. */
const ofTheApi: ReadonlySet<string> = new Set(["ApiUnreachable", "ApiTimeout", "ApiServerError", "ApiRateLimited"]);
/** One may be chance. */
const failuresToTell = 2;

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
export function conditionToTell(
  { name, why: [why] }: Outcome,
  failures: number,
  object: KubeObject,
): "failed" | "well" | undefined {
  const told = findCondition(conditionsOf(object), roundFailed);
  if (failures === 0) return told === undefined ? undefined : "well";
  const isGrave =
    why?.severity === "error" && !ofTheApi.has(why.reason) && (failures >= failuresToTell || name === "isolated");
  return isGrave && told === undefined ? "failed" : undefined;
}

export async function tellRound(
  told: "failed" | "well",
  { why: [why] }: Outcome,
  { kube, feature, object, nowMs }: FailedRounds,
): Promise<void> {
  const { uid, resourceVersion, generation } = object.metadata;
  const reported =
    told === "well" || why === undefined
      ? []
      : [
          {
            type: roundFailed,
            status: "True" as const,
            reason: why.reason,
            message: `the last attempt failed, and the rest of the status is older: ${why.text}`,
          },
        ];
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
