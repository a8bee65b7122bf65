// Events about parts of an object, such as zones, whose health changed with the status that was written: what went wrong has Events of its own,
// but that it is over has none, and a dashboard that is started later reads in them how the parts were.

import { isSameKind, type KubeObject } from "../../apis/kube/kube-object.ts";
import { conditionsOf } from "../../core/conditions.ts";
import { explain } from "../../core/explain.ts";
import type { ShownObjects } from "../../core/job/declaration.ts";
import { partAnnotations, partChanges } from "../../core/part-changes.ts";
import type { StatusReport } from "../feature.ts";
import type { ReportedEvent } from "./event-object.ts";

export function partEvents(shows: readonly ShownObjects[], report: StatusReport): readonly ReportedEvent[] {
  const parts = shows.find(({ kind }) => isSameKind(kind, report.kind))?.parts;
  if (parts === undefined) return [];
  const { observed: before } = report;
  return partChanges(parts(before), parts(afterWriting(report))).map(({ message, ...told }) => ({
    regarding: before,
    action: "report",
    explanation: explain("PartHealthChanged", message),
    annotations: partAnnotations(told),
  }));
}

function afterWriting({ observed, status, conditions = [] }: StatusReport): KubeObject {
  const others = conditionsOf(observed).filter(({ type }) => !conditions.some((one) => one.type === type));
  const before = (observed as KubeObject & { readonly status?: object }).status;
  return { ...observed, status: { ...before, ...status, conditions: [...conditions, ...others] } } as KubeObject;
}
