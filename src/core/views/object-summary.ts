// One object in a line, and in full. Pure: callers have read objects, plans and events, and have left out what may not be shown.

import type { Kind, KubeObject } from "../../apis/kube/kube-object.ts";
import { refOf } from "../../apis/kube/kube-object.ts";
import type { Headline } from "../job/declaration.ts";
import type { LogRecord, PlanRecord } from "../plan-record.ts";
import { present } from "../present.ts";
import { conditionViews } from "./condition-view.ts";
import { sentence } from "./explained.ts";
import { type HealthResult, healthOf } from "./health.ts";
import type { ConditionView, Incident, ObjectDetail, ObjectSummary, PartStrip, RelationView } from "./object-view.ts";
import { countParts, type Parts, raisedByParts } from "./parts.ts";
import type { Picture } from "./picture.ts";
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
  readonly reach?: Picture["reach"] | undefined;
  readonly incidents?: readonly Incident[] | undefined;
  /** Types of its conditions that mean a problem when they are True. */
  readonly badWhenTrue?: readonly string[] | undefined;
  readonly headline?: Headline | undefined;
}

export function objectSummary(input: SummaryInput): ObjectSummary {
  const { kind, object, controllers, plans, unclaimed, parts, report, headline, reach, incidents } = input;
  const conditions = allConditions(input);
  const deleting = object.metadata.deletionTimestamp !== undefined;
  const result: HealthResult =
    unclaimed === undefined
      ? raisedByParts(healthOf({ conditions, plans, deleting, headline }), parts)
      : { health: "unknown", sentence: sentence(`not managed by Mainstay: ${unclaimed}`) };
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
    ...present({ reach, incidents }),
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
  readonly picture?: Picture | undefined;
  readonly strips?: readonly PartStrip[];
}

export function objectDetail(input: DetailInput): ObjectDetail {
  const { object, plans, what, log, events, relations, parts, picture, strips = [] } = input;
  const { creationTimestamp, generation } = object.metadata;
  return {
    ...objectSummary(input),
    what,
    ...(creationTimestamp === undefined ? {} : { createdAt: creationTimestamp }),
    ...present({ generation, picture }),
    ...(parts === undefined ? {} : { partsTable: parts.table, ...present({ tables: parts.tables }) }),
    strips,
    conditions: allConditions(input),
    plans: plans.map(planView),
    history: log.toReversed().map(logEntry),
    events: events.map(eventView).toSorted((a, b) => (a.lastSeen < b.lastSeen ? 1 : a.lastSeen > b.lastSeen ? -1 : 0)),
    relations,
  };
}
