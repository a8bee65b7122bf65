// Events: one storage, two views. Stored as core/v1; events.k8s.io/v1 calls the same things by other names.

import type { Json, JsonObject } from "../json.ts";
import type { ResourceStrategy } from "../resource.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import { coreEventCauses, newEventCauses } from "./event-validation.ts";

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

export const coreEventStrategy: ResourceStrategy = {
  defaults: (event) => ({ ...zeroCore, ...event }),
  createsOnUpdate: true,
  nameRule: "path-segment",
  validate: coreEventCauses,
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
  createsOnUpdate: true,
  validate: (event, old) => newEventCauses(toCore(event), old === undefined ? undefined : toCore(old)),
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
