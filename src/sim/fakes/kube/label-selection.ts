// Label selectors in their JSON form (matchLabels and matchExpressions), as admission and aggregated roles use them.

import type { JsonObject } from "./json.ts";
import { objectsAt, stringsAt } from "./json-lists.ts";
import { objectAt, stringAt } from "./schema/json-value.ts";

/** An empty selector selects everything. */
export function selects(selector: JsonObject, labels: JsonObject): boolean {
  const wanted = Object.entries(objectAt(selector, "matchLabels"));
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    objectsAt(selector, "matchExpressions").every((requirement) => meets(requirement, labels))
  );
}

function meets(requirement: JsonObject, labels: JsonObject): boolean {
  const label = labels[stringAt(requirement, "key")];
  const values = stringsAt(requirement, "values");
  switch (stringAt(requirement, "operator")) {
    case "In":
      return typeof label === "string" && values.includes(label);
    case "NotIn":
      return typeof label !== "string" || !values.includes(label);
    case "Exists":
      return label !== undefined;
    case "DoesNotExist":
      return label === undefined;
    default:
      return false;
  }
}
