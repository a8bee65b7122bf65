// The way over from kubectl's client-side apply: what its annotation says was applied, and is still so, kubectl may take
// over without force; and the annotation follows what kubectl applies on the server.

import { isJsonObject, type Json, type JsonObject, objectAt, presentFields, stringAt } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { compareValues } from "./compare-values.ts";
import { difference, emptyFieldSet, type FieldSet } from "./field-set.ts";
import { mergeType } from "./merge-type.ts";
import { ownedFields } from "./owned-fields.ts";

const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/** Only this manager is known to be the one who wrote the annotation. */
const kubectl = "kubectl";

export function allowedByLastApplied(manager: string, schema: StructuralSchema, live: JsonObject): FieldSet {
  const last = manager === kubectl ? lastApplied(live) : undefined;
  if (last === undefined || last.apiVersion !== live.apiVersion) return emptyFieldSet;
  const type = mergeType(schema);
  const { modified, added, removed } = compareValues(type, last, live);
  return [modified, added, removed].reduce(difference, ownedFields(type, last));
}

export function withLastApplied(manager: string, object: JsonObject, applied: JsonObject): JsonObject {
  if (manager !== kubectl || lastApplied(object) === undefined) return object;
  const metadata = objectAt(object, "metadata");
  const annotations = {
    ...objectAt(metadata, "annotations"),
    [annotation]: `${JSON.stringify(sorted(withoutAnnotation(applied)))}\n`,
  };
  return { ...object, metadata: { ...metadata, annotations } };
}

function lastApplied(object: JsonObject): JsonObject | undefined {
  const text = stringAt(objectAt(objectAt(object, "metadata"), "annotations"), annotation);
  try {
    const value = JSON.parse(text === "" ? "null" : text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Somebody wrote something else there: then it tells us nothing.
    return undefined;
  }
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const metadata = objectAt(applied, "metadata");
  if (!isJsonObject(metadata.annotations)) return applied;
  const { [annotation]: _, ...annotations } = metadata.annotations;
  return { ...applied, metadata: { ...metadata, annotations } };
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    presentFields(value)
      .toSorted()
      .map((name) => [name, sorted(value[name] ?? null)]),
  );
}
