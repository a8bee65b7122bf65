// Every object that Mainstay looks after, as the cluster has it now, with its conditions in words. Reads lists, and nothing else.

import { formatRef, type KubeObject, refOf, resourceName } from "../../apis/kube-object.ts";
import { isKubeError } from "../../core/kube-error.ts";
import { conditionViews } from "../../core/views/condition-view.ts";
import { objectSummary } from "../../core/views/object-summary.ts";
import type { ConditionView, ObjectSummary } from "../../core/views/object-view.ts";
import { listEverything } from "../../engine/plan-once.ts";
import type { ShownKind } from "../../ports/insight.ts";
import type { KubeReader } from "../../ports/kube.ts";

export interface StatusRow extends ObjectSummary {
  readonly conditions: readonly ConditionView[];
}

export interface Status {
  readonly objects: readonly StatusRow[];
  /** Kinds that could not be read, and why. */
  readonly unread: readonly string[];
}

export async function readStatus(kube: KubeReader, shown: readonly ShownKind[]): Promise<Status> {
  const read = await Promise.all(shown.map(async (one) => ({ shown: one, objects: await listOrWhy(kube, one) })));
  const reportOn = (kind: ShownKind, object: KubeObject): KubeObject | undefined =>
    read
      .filter((one) => one.shown.reportOf !== undefined && resourceName(one.shown.reportOf) === resourceName(kind.kind))
      .flatMap(({ objects }) => (typeof objects === "string" ? [] : objects))
      .find((report) => formatRef(refOf(report)) === formatRef(refOf(object)));
  return {
    objects: read.flatMap(({ shown: kind, objects }) =>
      typeof objects === "string" ? [] : objects.map((object) => rowOf(kind, object, reportOn(kind, object))),
    ),
    unread: read.flatMap(({ objects }) => (typeof objects === "string" ? [objects] : [])),
  };
}

export function rowOf({ kind, controllers }: ShownKind, object: KubeObject, report: KubeObject | undefined): StatusRow {
  const conditions = [...conditionViews(object), ...(report === undefined ? [] : conditionViews(report))];
  return { ...objectSummary({ kind, object, controllers, report, plans: [] }), conditions };
}

async function listOrWhy(kube: KubeReader, { kind }: ShownKind): Promise<readonly KubeObject[] | string> {
  try {
    return await listEverything(kube, kind);
  } catch (error) {
    if (isKubeError(error, "KindNotServed", "NotFound"))
      return `${resourceName(kind)}: the cluster does not serve it; mainstay crds install brings it`;
    if (isKubeError(error, "Forbidden")) return `${resourceName(kind)}: you may not list it`;
    throw error;
  }
}
