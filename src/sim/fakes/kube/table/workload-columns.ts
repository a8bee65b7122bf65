// Deployments, ReplicaSets and disruption budgets in a table.

import type { Json, JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { ageOf } from "./human-duration.ts";
import { ageColumn, column, nameColumn, type PrintedKind, wide } from "./printed-kind.ts";
import { labelsText } from "./service-columns.ts";

const templateColumns = [
  wide("Containers", "Names of the containers."),
  wide("Images", "Images of the containers."),
  wide("Selector", "Labels of the Pods it counts."),
];

export const deploymentKind = workload(
  [
    column("Ready", "Ready Pods of all that are wanted."),
    column("Up-to-date", "Pods made from the template as it is now."),
    column("Available", "Pods that have been ready long enough."),
  ],
  (spec, status) => [
    `${count(status, "readyReplicas")}/${count(spec, "replicas")}`,
    count(status, "updatedReplicas"),
    count(status, "availableReplicas"),
  ],
);

export const replicaSetKind = workload(
  [
    column("Desired", "Wanted Pods.", "integer"),
    column("Current", "Present Pods.", "integer"),
    column("Ready", "Ready Pods.", "integer"),
  ],
  (spec, status) => [count(spec, "replicas"), count(status, "replicas"), count(status, "readyReplicas")],
);

export const disruptionBudgetKind: PrintedKind = {
  columns: [
    nameColumn,
    column("Min Available", "Pods that must stay."),
    column("Max Unavailable", "Pods that may be missing."),
    column("Allowed Disruptions", "Pods that may go right now.", "integer"),
    ageColumn,
  ],
  cells: (budget, nowMs) => {
    const limit = (value: Json | undefined) =>
      typeof value === "string" || typeof value === "number" ? String(value) : "N/A";
    const { minAvailable, maxUnavailable } = objectAt(budget, "spec");
    const metadata = objectAt(budget, "metadata");
    return [
      stringAt(metadata, "name"),
      limit(minAvailable),
      limit(maxUnavailable),
      count(objectAt(budget, "status"), "disruptionsAllowed"),
      ageOf(metadata["creationTimestamp"], nowMs),
    ];
  },
};

function workload(
  own: PrintedKind["columns"],
  cells: (spec: JsonObject, status: JsonObject) => readonly Json[],
): PrintedKind {
  return {
    columns: [nameColumn, ...own, ageColumn, ...templateColumns],
    cells: (object, nowMs) => {
      const [metadata, spec] = [objectAt(object, "metadata"), objectAt(object, "spec")];
      const containers = objectsAt(objectAt(objectAt(spec, "template"), "spec"), "containers");
      return [
        stringAt(metadata, "name"),
        ...cells(spec, objectAt(object, "status")),
        ageOf(metadata["creationTimestamp"], nowMs),
        containers.map((one) => stringAt(one, "name")).join(","),
        containers.map((one) => stringAt(one, "image")).join(","),
        selectorText(objectAt(spec, "selector")),
      ];
    },
  };
}

function selectorText(selector: JsonObject): string {
  const labels = objectAt(selector, "matchLabels");
  const expressions = objectsAt(selector, "matchExpressions").map(requirementText);
  const parts = [...(Object.keys(labels).length === 0 ? [] : [labelsText(labels)]), ...expressions];
  return parts.join(",") || "<none>";
}

function requirementText(requirement: JsonObject): string {
  const [key, values] = [stringAt(requirement, "key"), stringsAt(requirement, "values").toSorted().join(",")];
  switch (stringAt(requirement, "operator")) {
    case "In":
      return `${key} in (${values})`;
    case "NotIn":
      return `${key} notin (${values})`;
    case "Exists":
      return key;
    default:
      return `!${key}`;
  }
}

function count(part: JsonObject, field: string): number {
  return Number(part[field] ?? 0);
}
