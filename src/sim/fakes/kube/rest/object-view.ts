// Between the one stored form of an object and the version a client speaks: conversion, and for custom resources
// defaults and pruning by the schema of that version.

import { convertByWebhook } from "../admission/conversion.ts";
import type { JsonObject } from "../json.ts";
import type { ResourceDefinition, ResourceVersionDefinition } from "../resource.ts";
import { applyDefaults } from "../schema/default.ts";
import { stringAt } from "../schema/json-value.ts";
import { prune } from "../schema/prune.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { apiVersionOf, type ServerContext } from "../server-context.ts";
import { serverError } from "./api-error.ts";

// A stored object is read many times between two writes; its view in a version does not change.
const views = new WeakMap<StructuralSchema, WeakMap<JsonObject, JsonObject>>();

export async function viewOf(
  server: ServerContext,
  resource: ResourceDefinition,
  version: ResourceVersionDefinition,
  stored: JsonObject,
): Promise<JsonObject> {
  const [view] = await viewsOf(server, resource, version, [stored]);
  if (view === undefined) throw serverError("conversion lost the object");
  return view;
}

export async function viewsOf(
  server: ServerContext,
  resource: ResourceDefinition,
  version: ResourceVersionDefinition,
  stored: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const { fromStorage } = resource.strategy;
  if (fromStorage !== undefined) return stored.map(fromStorage);
  if (resource.crd === undefined) return stored;
  const converted = await convertedTo(server, resource, version.name, stored);
  return converted.map((object) => shaped(version.schema, object));
}

export async function storedFormOf(
  server: ServerContext,
  resource: ResourceDefinition,
  object: JsonObject,
): Promise<JsonObject> {
  const { toStorage } = resource.strategy;
  if (toStorage !== undefined) return toStorage(object);
  const storage = resource.versions.find((version) => version.storage);
  if (resource.crd === undefined || storage === undefined) return object;
  const [converted] = await convertedTo(server, resource, storage.name, [object]);
  // Storage holds only what its own version knows.
  return pruned(storage.schema, converted ?? object).value;
}

/** Neither pruned nor filled in: as the conversion gives it. */
export async function convertedTo(
  server: ServerContext,
  resource: ResourceDefinition,
  versionName: string,
  objects: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const apiVersion = apiVersionOf(resource.group, versionName);
  const foreign = objects.filter((object) => object["apiVersion"] !== apiVersion);
  if (foreign.length === 0) return objects;
  const conversion = resource.crd?.conversion;
  if (stringAt(conversion, "strategy") !== "Webhook" || conversion === undefined) {
    return objects.map((object) => ({ ...object, apiVersion }));
  }
  const outcome = await convertByWebhook({
    conversion,
    objects: foreign,
    desiredApiVersion: apiVersion,
    callWebhook: server.callWebhook,
    uid: server.random.uuid(),
  });
  if ("failed" in outcome) throw serverError(outcome.failed);
  const byOriginal = new Map(foreign.map((object, index) => [object, outcome.objects[index] ?? object]));
  return objects.map((object) => byOriginal.get(object) ?? object);
}

function shaped(schema: StructuralSchema, object: JsonObject): JsonObject {
  const known = views.get(schema) ?? new WeakMap<JsonObject, JsonObject>();
  views.set(schema, known);
  const earlier = known.get(object);
  if (earlier !== undefined) return earlier;
  const view = defaulted(schema, pruned(schema, object).value);
  known.set(object, view);
  return view;
}

/** Custom resources only: `apiVersion`, `kind` and `metadata` are not the schema's business. */
export function pruned(
  schema: StructuralSchema,
  { apiVersion, kind, metadata, ...body }: JsonObject,
): { readonly value: JsonObject; readonly unknownFields: readonly string[] } {
  const { value, unknownFields } = prune(schema, body);
  return { value: { apiVersion, kind, metadata, ...value }, unknownFields };
}

export function defaulted(schema: StructuralSchema, { apiVersion, kind, metadata, ...body }: JsonObject): JsonObject {
  return { apiVersion, kind, metadata, ...applyDefaults(schema, body) };
}
