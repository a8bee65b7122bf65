// One object in a line, and in full. Pure: callers have read objects, plans and events, and have left out what may not be shown.

import type { Kind, KubeObject } from "../../apis/kube/kube-object.ts";
import { refOf } from "../../apis/kube/kube-object.ts";
import type { LogRecord, PlanRecord } from "../plan-record.ts";
import { present } from "../present.ts";
import { conditionViews } from "./condition-view.ts";
import { sentence } from "./explained.ts";
import { type HealthResult, healthOf } from "./health.ts";
import type { ConditionView, ObjectDetail, ObjectSummary, RelationView } from "./object-view.ts";
import { countParts, type Parts, raisedByParts } from "./parts.ts";
import { eventView, logEntry, objectId, planView } from "./plan-view.ts";

export interface SummaryInput {
  readonly kind: Kind;
  readonly object: KubeObject;
  readonly controllers: readonly string[];
  /** An object whose conditions report on this one. */
  readonly report?: KubeObject | undefined;
  readonly plans: readonly PlanRecord[];
  /** Why no controller manages it. */
  readonly unclaimed?: string | undefined;
  /** What it is made of. */
  readonly parts?: Parts | undefined;
  /** Types of its conditions that mean a problem when they are True. */
  readonly badWhenTrue?: readonly string[] | undefined;
}

export function objectSummary(input: SummaryInput): ObjectSummary {
  const { kind, object, controllers, plans, unclaimed, parts, report } = input;
  const conditions = allConditions(input);
  const deleting = object.metadata.deletionTimestamp !== undefined;
  const result: HealthResult =
    unclaimed === undefined
      ? raisedByParts(healthOf({ conditions, plans, deleting }), parts)
      : { health: "unknown", sentence: sentence(`not looked after: ${unclaimed}`) };
  const since = conditions
    .map((condition) => condition.since)
    .toSorted()
    .at(-1);
  const versions = [object, report].map((one) => one?.metadata.resourceVersion ?? "");
  return {
    id: objectId(kind, refOf(object)),
    controllers: unclaimed === undefined ? controllers : [],
    ...result,
    ...(since === undefined || since === "" ? {} : { since }),
    deleting,
    ...(parts === undefined ? {} : { parts: countParts(parts) }),
    revision: [...versions, ...plans.map(({ revision }) => revision)].join("-"),
  };
}

/** Its own, and those of the report that speaks of it. */
export function allConditions({ object, report, badWhenTrue }: SummaryInput): readonly ConditionView[] {
  return [...conditionViews(object, badWhenTrue), ...(report === undefined ? [] : conditionViews(report))];
}

export interface DetailInput extends SummaryInput {
  readonly what: string;
  /** Of this object, oldest first. */
  readonly log: readonly LogRecord[];
  readonly events: readonly KubeObject[];
  readonly relations: readonly RelationView[];
}

export function objectDetail(input: DetailInput): ObjectDetail {
  const { object, plans, what, log, events, relations, parts } = input;
  const { creationTimestamp, generation } = object.metadata;
  return {
    ...objectSummary(input),
    what,
    ...(creationTimestamp === undefined ? {} : { createdAt: creationTimestamp }),
    ...present({ generation }),
    ...(parts === undefined ? {} : { partsTable: parts.table }),
    conditions: allConditions(input),
    plans: plans.map(planView),
    history: log.toReversed().map(logEntry),
    events: events.map(eventView).toSorted((a, b) => (a.lastSeen < b.lastSeen ? 1 : a.lastSeen > b.lastSeen ? -1 : 0)),
    relations,
  };
}
