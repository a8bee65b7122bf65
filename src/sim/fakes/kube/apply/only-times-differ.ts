// A write that would change nothing but the times in managedFields is no write.

import { isJsonObject, type Json, type JsonObject, listAt, objectAt, sameJson } from "../schema/json-value.ts";

export function onlyTimesDiffer(before: JsonObject, after: JsonObject): boolean {
  return before === after || (sameJson(unmanaged(before), unmanaged(after)) && sameJson(owners(before), owners(after)));
}

function unmanaged(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = objectAt(object, "metadata");
  return { ...object, metadata };
}

function owners(object: JsonObject): Json {
  const entries = listAt(objectAt(object, "metadata"), "managedFields").map((entry): Json => {
    if (!isJsonObject(entry)) return entry;
    const { time: _, ...rest } = entry;
    return rest;
  });
  // Entries are ordered by time, so equal content may stand in another order.
  return entries.map((entry) => JSON.stringify(entry)).sort();
}
