// Events: one storage, two views. Stored as core/v1; events.k8s.io/v1 calls the same things by other names.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { immutableField, invalid, required } from "../field-cause.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ResourceStrategy } from "../resource.ts";
import { objectAt, sameJson, stringAt } from "../schema/json-value.ts";

export const eventStorage = "/events";

// core/v1 name → events.k8s.io/v1 name.
const names = {
  involvedObject: "regarding",
  message: "note",
  source: "deprecatedSource",
  firstTimestamp: "deprecatedFirstTimestamp",
  lastTimestamp: "deprecatedLastTimestamp",
  count: "deprecatedCount",
  reportingComponent: "reportingController",
} as const;

const newStyleImmutable = [
  "reason",
  "message",
  "action",
  "type",
  "involvedObject",
  "related",
  "reportingComponent",
  "reportingInstance",
  "eventTime",
];

export const coreEventStrategy: ResourceStrategy = {
  defaults: (event) => ({ ...zeroCore, ...event }),
  validate: (event, old, { version: _version }) => causes(event, old, false),
  selectableFields: (event) => {
    const about = objectAt(event, "involvedObject");
    const fields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
    return {
      ...Object.fromEntries(fields.map((field) => [`involvedObject.${field}`, stringAt(about, field)])),
      reason: stringAt(event, "reason"),
      reportingComponent: stringAt(event, "reportingComponent"),
      source: stringAt(objectAt(event, "source"), "component") || stringAt(event, "reportingComponent"),
      type: stringAt(event, "type"),
    };
  },
};

export const newEventStrategy: ResourceStrategy = {
  defaults: (event) => ({ ...zeroNew, ...event }),
  validate: (event, old) => causes(toCore(event), old === undefined ? undefined : toCore(old), true),
  toStorage: toCore,
  fromStorage: toNew,
  selectableFields: (event) => {
    const about = objectAt(event, "regarding");
    const fields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
    return {
      ...Object.fromEntries(fields.map((field) => [`regarding.${field}`, stringAt(about, field)])),
      reason: stringAt(event, "reason"),
      reportingController: stringAt(event, "reportingController"),
      type: stringAt(event, "type"),
    };
  },
};

const zeroCore: JsonObject = {
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: "",
  reportingInstance: "",
};
const zeroNew: JsonObject = {
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
  eventTime: null,
};

function toCore(event: JsonObject): JsonObject {
  const back = Object.fromEntries(Object.entries(names).map(([core, renamed]) => [renamed, core]));
  return { ...zeroCore, ...renamed(event, back), apiVersion: "v1" };
}

function toNew(event: JsonObject): JsonObject {
  const view: Record<string, Json | undefined> = {
    ...zeroNew,
    ...renamed(event, names),
    apiVersion: "events.k8s.io/v1",
  };
  for (const field of ["reportingController", "reportingInstance"]) if (view[field] === "") delete view[field];
  return view;
}

function renamed(event: JsonObject, table: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(event).map(([field, value]) => [table[field] ?? field, value]));
}

function causes(event: JsonObject, old: JsonObject | undefined, newStyle: boolean): readonly FieldCause[] {
  const found: FieldCause[] = [];
  const namespace = stringAt(objectAt(event, "metadata"), "namespace");
  const about = stringAt(objectAt(event, "involvedObject"), "namespace");
  // An event about a cluster-scoped object lives in `default`.
  const fits = about === namespace || (about === "" && namespace === "default");
  const hasTime = typeof event["eventTime"] === "string";
  if (!fits && !(newStyle && hasTime))
    found.push(invalid("involvedObject.namespace", about, "does not match event.namespace"));
  if (!newStyle) return found;
  if (!hasTime) found.push(required("eventTime"));
  const type = stringAt(event, "type");
  if (type !== "Normal" && type !== "Warning") found.push(invalid("type", "", `has invalid value: ${type}`));
  if (!hasTime) return found;
  for (const field of ["reportingComponent", "reportingInstance", "action", "reason"]) {
    if (stringAt(event, field) === "")
      found.push(required(field === "reportingComponent" ? "reportingController" : field));
  }
  const changed = newStyleImmutable.filter((field) => old !== undefined && !sameJson(event[field], old[field]));
  return [...found, ...changed.map((field) => immutableField(field, event[field]))];
}
