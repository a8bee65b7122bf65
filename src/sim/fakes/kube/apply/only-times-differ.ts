// A write that would change nothing but the times in managedFields is no write.

import { isJsonObject, type Json, type JsonObject, listAt, objectAt, sameJson } from "../schema/json-value.ts";

export function onlyTimesDiffer(before: JsonObject, after: JsonObject): boolean {
  return sameJson(withoutTimes(before), withoutTimes(after));
}

function withoutTimes(object: JsonObject): JsonObject {
  const metadata = objectAt(object, "metadata");
  const entries = listAt(metadata, "managedFields").map((entry): Json => {
    if (!isJsonObject(entry)) return entry;
    const { time: _, ...rest } = entry;
    return rest;
  });
  // Entries are ordered by time, so equal content may stand in another order.
  const ordered = entries.map((entry) => JSON.stringify(entry)).sort();
  return { ...object, metadata: { ...metadata, managedFields: ordered } };
}
