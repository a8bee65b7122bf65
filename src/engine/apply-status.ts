// Writes the status a feature reported: our fields only, by server-side apply under the feature's own name, once, and not at all
// when the object says it already. A field reported as `undefined` is ours and absent. Conditions of a foreign kind whose
// list has no map keys are patched entry by entry (atomic-conditions.ts).

import { apiVersionOf, type Condition, formatRef, type KubeObject, refOf, resourceName } from "../apis/kube-object.ts";
import { completeConditions, conditionsOf, findCondition } from "../core/conditions.ts";
import type { Kube } from "../ports/kube.ts";
import { patchConditions } from "./atomic-conditions.ts";
import type { StatusReport } from "./feature.ts";
import { isSubset, withoutUndefined } from "./json-subset.ts";

export interface ApplyStatusOptions {
  readonly kube: Kube;
  readonly feature: string;
  readonly nowMs: number;
  /** The version our own last write in this round gave the object: the status is bound to it, or else to the observed one. */
  readonly latestVersion?: (report: StatusReport) => string | undefined;
}

/** What was applied before, by object: a field or a condition that is no longer reported has to go. */
export class AppliedShapes {
  readonly #shapes = new Map<string, string>();
  readonly #limit: number;

  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  /** Nothing is known about an object not seen since the start: then the shape counts as unchanged. */
  isChanged(id: string, shape: string): boolean {
    return (this.#shapes.get(id) ?? shape) !== shape;
  }

  remember(id: string, shape: string): void {
    this.#shapes.delete(id);
    this.#shapes.set(id, shape);
    const oldest = this.#shapes.keys().next();
    if (this.#shapes.size > this.#limit && oldest.done !== true) this.#shapes.delete(oldest.value);
  }
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
  if (saysAlready(report, conditions) && !shapes.isChanged(id, shape)) {
    shapes.remember(id, shape);
    return false;
  }
  const leftBehind = absentFields(report);
  if (leftBehind !== undefined && saysAlready(report, conditions, leftBehind)) {
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
function saysAlready(
  { observed, status }: StatusReport,
  conditions: readonly Condition[],
  besides: object = {},
): boolean {
  const current = (observed as { readonly status?: unknown }).status ?? {};
  const listed = conditionsOf(observed);
  const asked = Object.fromEntries(Object.entries(status).filter(([name]) => !(name in besides)));
  return isSubset(asked, current) && conditions.every((wanted) => isSubset(wanted, findCondition(listed, wanted.type)));
}

/** Fields that should be absent and are there: an apply takes away only what it once applied, and others may have written them. */
function absentFields({ status, observed }: StatusReport): Readonly<Record<string, null>> | undefined {
  const current = (observed as { readonly status?: Readonly<Record<string, unknown>> }).status ?? {};
  const names = Object.keys(status).filter((name) => status[name] === undefined && current[name] !== undefined);
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, null]));
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
  return { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}

function shapeOf(status: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(status).filter((name) => status[name] !== undefined);
  const types = conditionsOf({ status }).map((condition) => `conditions/${condition.type}`);
  return JSON.stringify([...names, ...types].toSorted());
}
