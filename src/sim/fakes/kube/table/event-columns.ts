// Events in a table, of either API: their fields have different names for the same things.

import type { Json, JsonObject } from "../json.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { ageOf } from "./human-duration.ts";
import { column, type PrintedKind, wide } from "./printed-kind.ts";

export const eventKind: PrintedKind = {
  columns: [
    column("Last Seen", "How long ago it happened last."),
    column("Type", "Normal or Warning."),
    column("Reason", "Why, in one word."),
    column("Object", "What it is about."),
    wide("Subobject", "Which part of the object it is about."),
    wide("Source", "Who reports it."),
    column("Message", "What happened, for people."),
    wide("First Seen", "How long ago it happened first."),
    wide("Count", "How many times it happened."),
    { name: "Name", type: "string", format: "name", description: "The name of the event.", priority: 1 },
  ],
  cells: (event, nowMs) => {
    const object = event["regarding"] === undefined ? objectAt(event, "involvedObject") : objectAt(event, "regarding");
    const first = timestamp(event, "firstTimestamp", "deprecatedFirstTimestamp") ?? event["eventTime"];
    const series = objectAt(event, "series");
    const last = series["lastObservedTime"] ?? timestamp(event, "lastTimestamp", "deprecatedLastTimestamp") ?? first;
    const kind = stringAt(object, "kind").toLowerCase();
    return [
      ageOf(last, nowMs),
      stringAt(event, "type"),
      stringAt(event, "reason"),
      stringAt(object, "name") === "" ? kind : `${kind}/${stringAt(object, "name")}`,
      stringAt(object, "fieldPath"),
      sourceOf(event),
      (stringAt(event, "note") || stringAt(event, "message")).trim(),
      ageOf(first, nowMs),
      countOf(event, series),
      stringAt(objectAt(event, "metadata"), "name"),
    ];
  },
};

function timestamp(event: JsonObject, ...fields: readonly string[]): Json | undefined {
  return fields.map((field) => event[field]).find((value) => typeof value === "string");
}

function sourceOf(event: JsonObject): string {
  const source = event["source"] === undefined ? objectAt(event, "deprecatedSource") : objectAt(event, "source");
  const component =
    stringAt(source, "component") || stringAt(event, "reportingController") || stringAt(event, "reportingComponent");
  const instance = stringAt(source, "host") || stringAt(event, "reportingInstance");
  return instance === "" ? component : `${component}, ${instance}`;
}

function countOf(event: JsonObject, series: JsonObject): number {
  return Number(series["count"] ?? event["count"] ?? event["deprecatedCount"] ?? 0) || 1;
}
