// Our conditions in a list without map keys, where server-side apply would remove other owners' entries: a JSON patch that changes
// only our types and holds only for the resource version it was made for. On a conflict it is made again from the new state.

import { type Condition, type KubeObject, refOf } from "../../apis/kube/kube-object.ts";
import { completeConditions, conditionsOf } from "../../core/conditions.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { JsonPatchStep, Kube } from "../../ports/kube.ts";
import type { StatusReport } from "../feature.ts";
import { isSubset } from "./json-subset.ts";

const maxTries = 5;

export interface PatchConditionsOptions {
  readonly kube: Kube;
  readonly feature: string;
  readonly nowMs: number;
}

/** True when something was written. */
export async function patchConditions(
  report: StatusReport,
  ours: readonly string[],
  { kube, feature, nowMs }: PatchConditionsOptions,
): Promise<boolean> {
  let object: KubeObject = report.observed;
  for (let tries = 1; ; tries += 1) {
    const wanted = completeConditions(report.conditions ?? [], contextOf(object, report, nowMs));
    const steps = conditionSteps(object, wanted, ours);
    if (steps.length === 0) return false;
    try {
      const options = { subresource: "status", fieldManager: `mainstay-${feature}` } as const;
      await kube.patch(report.kind, refOf(object), { type: "json", body: [guard(object), ...steps] }, options);
      return true;
    } catch (error) {
      // A failed test is answered as Invalid, and so is a list shorter than the one we counted in.
      if (!isKubeError(error, "Conflict", "Invalid") || tries >= maxTries) throw error;
      const fresh = await kube.get(report.kind, refOf(object));
      const same = fresh.metadata.resourceVersion === object.metadata.resourceVersion;
      if (same || fresh.metadata.uid !== report.observed.metadata.uid) throw error;
      object = fresh;
    }
  }
}

/** The conditions are about the generation that was observed, even if the object has a newer one now. */
function contextOf(object: KubeObject, report: StatusReport, nowMs: number): Parameters<typeof completeConditions>[1] {
  return { previous: conditionsOf(object), generation: report.observed.metadata.generation, nowMs };
}

/** The steps after which the object's list holds the wanted conditions and no others of `ours`; empty when it does already. */
export function conditionSteps(
  object: KubeObject,
  wanted: readonly Condition[],
  ours: readonly string[],
): readonly JsonPatchStep[] {
  const status = (object as { readonly status?: { readonly conditions?: unknown } }).status;
  const list: readonly unknown[] = Array.isArray(status?.conditions) ? status.conditions : [];
  const unwanted = list
    .flatMap((entry, index) =>
      isOneOf(ours, entry) &&
      !isOneOf(
        wanted.map(({ type }) => type),
        entry,
      )
        ? [index]
        : [],
    )
    .toReversed();
  const steps: JsonPatchStep[] = [];
  for (const condition of wanted) {
    const index = list.findIndex((entry) => isSubset({ type: condition.type }, entry));
    if (index < 0) steps.push({ op: "add", path: "/status/conditions/-", value: condition });
    else if (!isSubset(condition, list[index]))
      steps.push({ op: "replace", path: `/status/conditions/${index}`, value: condition });
  }
  // Last and from the end: the places counted above stay what they were.
  steps.push(...unwanted.map((index) => ({ op: "remove" as const, path: `/status/conditions/${index}` })));
  if (steps.length === 0 || Array.isArray(status?.conditions)) return steps;
  const makeList: JsonPatchStep = { op: "add", path: "/status/conditions", value: [] };
  return status === undefined ? [{ op: "add", path: "/status", value: {} }, makeList, ...steps] : [makeList, ...steps];
}

function isOneOf(types: readonly string[], entry: unknown): boolean {
  return types.some((type) => isSubset({ type }, entry));
}

function guard(object: KubeObject): JsonPatchStep {
  return { op: "test", path: "/metadata/resourceVersion", value: object.metadata.resourceVersion };
}
