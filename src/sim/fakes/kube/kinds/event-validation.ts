// What an Event must be, in the form in which it is stored. The old API asks for little; through events.k8s.io a new Event
// has no deprecated field set, and only its series may change later.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { immutableField, invalid, required } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { qualifiedNameProblems } from "../rest/name-rules.ts";
import { isJsonObject, objectAt, sameJson, stringAt } from "../schema/json-value.ts";

const longestWord = 128;
const longestNote = 1024;

// In the order of the server's complaints.
const fixedFields = [
  "involvedObject",
  "reason",
  "message",
  "source",
  "firstTimestamp",
  "lastTimestamp",
  "count",
  // Twice, as the server says it.
  "reason",
  "type",
  "eventTime",
  "action",
  "related",
  "reportingComponent",
  "reportingInstance",
];

export function coreEventCauses(event: JsonObject): readonly FieldCause[] {
  return baseCauses(event, "reportingComponent");
}

export function newEventCauses(event: JsonObject, old: JsonObject | undefined): readonly FieldCause[] {
  const base = baseCauses(event, "reportingController");
  if (old === undefined) return [...base, ...seriesCauses(event), ...creationCauses(event)];
  return [
    ...base,
    ...(sameJson(event["series"], old["series"]) ? [] : seriesCauses(event)),
    ...fixedFields
      .filter((field) => !sameJson(event[field] ?? null, old[field] ?? null))
      .map((field) => immutableField(field === "reportingComponent" ? "reportingController" : field, event[field])),
  ];
}

function baseCauses(event: JsonObject, reporterField: string): readonly FieldCause[] {
  const home = stringAt(objectAt(event, "metadata"), "namespace");
  const about = stringAt(objectAt(event, "involvedObject"), "namespace");
  const elsewhere = [invalid("involvedObject.namespace", about, "does not match event.namespace")];
  // An event about a cluster-scoped object lives in `default`.
  if (!isSet(event["eventTime"])) return about === home || (about === "" && home === "default") ? [] : elsewhere;
  const reporter = stringAt(event, "reportingComponent");
  return [
    ...(about !== "" || ["default", "kube-system"].includes(home) ? [] : elsewhere),
    ...(reporter === "" ? [required(reporterField)] : []),
    ...qualifiedNameProblems(reporter).map((why) => invalid(reporterField, reporter, why)),
    ...["reportingInstance", "action", "reason"].flatMap((field) => wordCauses(event, field)),
    ...lengthCauses(event, "message", longestNote),
  ];
}

function wordCauses(event: JsonObject, field: string): readonly FieldCause[] {
  return stringAt(event, field) === "" ? [required(field)] : lengthCauses(event, field, longestWord);
}

function lengthCauses(event: JsonObject, field: string, limit: number): readonly FieldCause[] {
  const bytes = new TextEncoder().encode(stringAt(event, field)).length;
  return bytes > limit ? [invalid(field, "", `can have at most ${limit} characters`)] : [];
}

function seriesCauses({ series }: JsonObject): readonly FieldCause[] {
  if (!isJsonObject(series)) return [];
  return [
    ...(Number(series["count"] ?? 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : []),
    ...(isSet(series["lastObservedTime"]) ? [] : [required("series.lastObservedTime")]),
  ];
}

function creationCauses(event: JsonObject): readonly FieldCause[] {
  const type = stringAt(event, "type");
  const source = objectAt(event, "source");
  const deprecated = ["firstTimestamp", "lastTimestamp", "count"].filter((field) => isSet(event[field]));
  const hasSource = stringAt(source, "component") !== "" || stringAt(source, "host") !== "";
  return [
    ...(isSet(event["eventTime"]) ? [] : [required("eventTime")]),
    ...(type === "Normal" || type === "Warning" ? [] : [invalid("type", "", `has invalid value: ${type}`)]),
    ...[...deprecated, ...(hasSource ? ["source"] : [])].map((field) => invalid(field, "", "needs to be unset")),
  ];
}

function isSet(value: JsonObject[string]): boolean {
  return value !== undefined && value !== null && value !== 0;
}
