// Writes the status a feature reported: only our own fields, by server-side apply under the feature's own name, and only when
// something differs. A field, or a part of one, that is reported as `undefined` is ours and must be absent. Conditions of a foreign
// kind whose list has no map keys are patched entry by entry (atomic-conditions.ts).

import {
  apiVersionOf,
  type Condition,
  formatRef,
  type KubeObject,
  refOf,
  resourceName,
} from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import { completeConditions, conditionsOf, findCondition } from "../../core/conditions.ts";
import { present } from "../../core/present.ts";
import type { Kube } from "../../ports/kube.ts";
import type { StatusReport } from "../feature.ts";
import { patchConditions } from "./atomic-conditions.ts";
import { isSubset, withoutUndefined } from "./json-subset.ts";

export interface ApplyStatusOptions {
  readonly kube: Kube;
  readonly feature: string;
  readonly nowMs: number;
  /** The resource version after our own last write in this round. The status holds only for it, or else for the observed one. */
  readonly latestVersion?: (report: StatusReport) => string | undefined;
}

/** The names of what was applied before, by object: a field or a condition that is no longer reported has to go. */
export class AppliedShapes {
  readonly #shapes = new Map<string, readonly string[]>();
  readonly #limit: number;

  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  /** Empty for an object that was not applied since this process started. */
  droppedSince(id: string, shape: readonly string[]): readonly string[] {
    return (this.#shapes.get(id) ?? []).filter((name) => !shape.includes(name));
  }

  remember(id: string, shape: readonly string[]): void {
    this.#shapes.delete(id);
    this.#shapes.set(id, shape);
    const oldest = this.#shapes.keys().next();
    if (this.#shapes.size > this.#limit && oldest.done !== true) this.#shapes.delete(oldest.value);
  }
}

type Fields = Readonly<Record<string, unknown>>;
/** In the form of a merge patch. */
interface Absent {
  readonly [name: string]: Absent | null;
}

/** True when something was written. */
export async function applyStatus(
  report: StatusReport,
  shapes: AppliedShapes,
  options: ApplyStatusOptions,
): Promise<boolean> {
  const { generation } = report.observed.metadata;
  const conditions = completeConditions(report.conditions ?? [], {
    previous: conditionsOf(report.observed),
    generation,
    nowMs: options.nowMs,
  });
  const { atomicConditionTypes: ours } = report;
  const applied = await applyFields(report, ours === undefined ? conditions : [], shapes, options);
  if (ours === undefined) return applied;
  const patched = await patchConditions(report, ours, options);
  return applied || patched;
}

async function applyFields(
  report: StatusReport,
  conditions: readonly Condition[],
  shapes: AppliedShapes,
  options: ApplyStatusOptions,
): Promise<boolean> {
  const status = conditions.length === 0 ? report.status : { ...report.status, conditions };
  const id = `${resourceName(report.kind)} ${formatRef(report.ref)} ${report.observed.metadata.uid ?? ""}`;
  const shape = shapeOf(status);
  // After a restore from a backup the server may not have the fields that we dropped.
  const there = shapeOf(statusOf(report.observed));
  const isStillThere = shapes.droppedSince(id, shape).some((name) => there.includes(name));
  if (isUpToDate(report, conditions) && !isStillThere) {
    shapes.remember(id, shape);
    return false;
  }
  const leftBehind = absentFields(report.status, statusOf(report.observed));
  if (leftBehind !== undefined && isUpToDate(report, conditions, leftBehind)) {
    const body = { metadata: versionOf(report, options), status: leftBehind };
    await options.kube.patch(report.kind, refOf(report.observed), { type: "merge", body }, { subresource: "status" });
    shapes.remember(id, shape);
    return true;
  }
  const fieldManager = `mainstay-${options.feature}`;
  await options.kube.apply(report.kind, statusObject(report, status, options), {
    fieldManager,
    force: true,
    subresource: "status",
  });
  shapes.remember(id, shape);
  return true;
}

/** Others may have conditions of their own in the list; every other list is compared whole. */
function isUpToDate(
  { observed, status }: StatusReport,
  conditions: readonly Condition[],
  besides: Absent = {},
): boolean {
  const listed = conditionsOf(observed);
  return (
    isSubset(status, withoutAbsent(statusOf(observed), besides)) &&
    conditions.every((wanted) => isSubset(wanted, findCondition(listed, wanted.type)))
  );
}

/** Fields that should be absent and are there: an apply takes away only what it once applied, and others may have written them. */
function absentFields(wanted: Fields, current: Fields): Absent | undefined {
  const left = Object.entries(wanted).flatMap(([name, value]): readonly (readonly [string, Absent | null])[] => {
    const there = current[name];
    if (value === undefined) return there === undefined ? [] : [[name, null]];
    const inner = isRecord(value) && isRecord(there) ? absentFields(value, there) : undefined;
    return inner === undefined ? [] : [[name, inner]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

function withoutAbsent(current: Fields, absent: Absent): Fields {
  return Object.fromEntries(
    Object.entries(current).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
      const gone = absent[name];
      if (gone === null) return [];
      return [[name, gone === undefined || !isRecord(value) ? value : withoutAbsent(value, gone)]];
    }),
  );
}

function statusOf(object: KubeObject): Fields {
  return (object as { readonly status?: Fields }).status ?? {};
}

/** Bound to one version of one object: a late arrival is a Conflict, never an old status over a new one. */
function statusObject(
  report: StatusReport,
  status: Readonly<Record<string, unknown>>,
  options: ApplyStatusOptions,
): KubeObject {
  return {
    apiVersion: apiVersionOf(report.kind),
    kind: report.kind.kind,
    metadata: { ...refOf(report.observed), ...versionOf(report, options) },
    status: withoutUndefined(status),
  } as KubeObject;
}

function versionOf(report: StatusReport, options: ApplyStatusOptions) {
  const { uid, resourceVersion: observedVersion } = report.observed.metadata;
  const resourceVersion = options.latestVersion?.(report) ?? observedVersion;
  return { ...present({ uid, resourceVersion }) };
}

function shapeOf(status: Fields): readonly string[] {
  const names = Object.keys(status).filter((name) => status[name] !== undefined);
  const types = conditionsOf({ status }).map((condition) => `conditions/${condition.type}`);
  return [...names, ...types];
}
