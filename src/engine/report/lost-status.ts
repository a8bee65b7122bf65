// What became of status that we wrote: which of its parts are not there any more, and which we would write differently now. A part is a
// field of status, or one of our conditions.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import { completeConditions, conditionsOf, findCondition } from "../../core/conditions.ts";
import type { StatusReport } from "../feature.ts";
import { isSubset } from "./json-subset.ts";

export type StatusToWrite = Pick<StatusReport, "observed" | "status" | "conditions" | "atomicConditionTypes">;

/** By their names; `undefined`: it has to be absent. */
export type StatusParts = ReadonlyMap<string, unknown>;

const conditionPrefix = "condition ";

export function statusParts({
  observed,
  status,
  conditions = [],
  atomicConditionTypes = [],
}: StatusToWrite): StatusParts {
  const { generation } = observed.metadata;
  const complete = completeConditions(conditions, { previous: [], generation, nowMs: 0 });
  return new Map<string, unknown>([
    ...Object.entries(status),
    ...atomicConditionTypes.map((type) => [conditionPrefix + type, undefined] as const),
    // When a condition came to be so is taken from what is there.
    ...complete.map(({ lastTransitionTime: _, ...said }) => [conditionPrefix + said.type, said] as const),
  ]);
}

/** The names of parts that are not as they were written. */
export function lostParts(written: StatusParts, object: KubeObject): readonly string[] {
  return [...written].filter(([name, value]) => !isSubset(value, partOf(object, name))).map(([name]) => name);
}

/** Something else is to be said in a part that was left alone. */
export function hasNews(written: StatusParts, wanted: StatusParts, lost: readonly string[]): boolean {
  return [...wanted].some(([name, value]) => !lost.includes(name) && !isSame(value, written.get(name)));
}

function isSame(one: unknown, other: unknown): boolean {
  return isSubset(one, other) && isSubset(other, one);
}

function partOf(object: KubeObject, name: string): unknown {
  if (name.startsWith(conditionPrefix)) return findCondition(conditionsOf(object), name.slice(conditionPrefix.length));
  const { status } = object as { readonly status?: unknown };
  return isRecord(status) ? status[name] : undefined;
}
