// Schemas that every document has: metadata of objects and lists, patches, statuses, and scale for those who have it.

import type { JsonObject } from "../json.ts";
import { listMeta, objectMeta, patchBody, reference, scale, status } from "./schema-names.ts";

const text = (description: string): JsonObject => ({ type: "string", description });
const time = (description: string): JsonObject => ({ type: "string", format: "date-time", description });
const integer = (description: string): JsonObject => ({ type: "integer", format: "int64", description });
const texts = (description: string): JsonObject => ({
  type: "object",
  additionalProperties: { type: "string", default: "" },
  description,
});

const ownerReference = {
  type: "object",
  required: ["apiVersion", "kind", "name", "uid"],
  properties: {
    apiVersion: text("Group and version of the owner."),
    kind: text("Kind of the owner."),
    name: text("Name of the owner."),
    uid: text("The owner's uid."),
    controller: { type: "boolean", description: "True for the one owner that manages the object." },
    blockOwnerDeletion: {
      type: "boolean",
      description: "The owner waits for this object when it is deleted in the foreground.",
    },
  },
};

const objectMetaSchema = {
  type: "object",
  description: "Metadata that every stored object has.",
  properties: {
    annotations: texts("Free data of tools and people; not for selecting."),
    creationTimestamp: time("When the server created the object. Set by the server."),
    deletionGracePeriodSeconds: integer("How long the object may take to end. Set by the server."),
    deletionTimestamp: time("Since when the object is being deleted. Set by the server."),
    finalizers: {
      type: "array",
      items: { type: "string", default: "" },
      description: "The object is removed only when this list is empty.",
      "x-kubernetes-list-type": "set",
      "x-kubernetes-patch-strategy": "merge",
    },
    generateName: text("Prefix of a name that the server completes when no name is given."),
    generation: integer("Grows with every change of the desired state. Set by the server."),
    labels: texts("Keys and values to select objects by."),
    managedFields: {
      type: "array",
      items: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      description: "Which manager owns which fields. Kept by the server.",
    },
    name: text("Name of the object, unique in its namespace. It never changes."),
    namespace: text("Namespace of the object. It never changes."),
    ownerReferences: {
      type: "array",
      items: ownerReference,
      description: "Objects this one depends on: when all are gone, so is this one.",
      "x-kubernetes-list-map-keys": ["uid"],
      "x-kubernetes-list-type": "map",
      "x-kubernetes-patch-merge-key": "uid",
      "x-kubernetes-patch-strategy": "merge",
    },
    resourceVersion: text("Changes whenever the object does; for watches and for guarded writes. Set by the server."),
    selfLink: text("Not used any more."),
    uid: text("Tells objects apart that had the same name at different times. Set by the server."),
  },
};

export const metaSchemas: JsonObject = {
  [objectMeta]: objectMetaSchema,
  [listMeta]: {
    type: "object",
    description: "Metadata of a list.",
    properties: {
      continue: text("Token for the next page; empty on the last one."),
      remainingItemCount: integer("How many objects follow on later pages."),
      resourceVersion: text("State of the server that the list shows."),
      selfLink: text("Not used any more."),
    },
  },
  [patchBody]: { type: "object", description: "A patch of the type that its content type names." },
  [status]: {
    type: "object",
    description: "How a request ended.",
    properties: {
      code: integer("HTTP status."),
      message: text("What happened."),
      reason: text("Why, in one word."),
      status: text("Success or Failure."),
    },
  },
};

export const scaleSchemas: JsonObject = {
  [scale]: {
    type: "object",
    description: "How many replicas there are and should be.",
    properties: {
      apiVersion: text("Group and version of the object."),
      kind: text("Kind of the object."),
      metadata: { description: "Metadata of the scaled object.", allOf: [reference(objectMeta)] },
      spec: {
        type: "object",
        properties: { replicas: { type: "integer", format: "int32", description: "Wanted replicas." } },
      },
      status: {
        type: "object",
        required: ["replicas"],
        properties: {
          replicas: { type: "integer", format: "int32", description: "Present replicas." },
          selector: text("Label selector of the replicas."),
        },
      },
    },
    "x-kubernetes-group-version-kind": [{ group: "autoscaling", version: "v1", kind: "Scale" }],
  },
};
