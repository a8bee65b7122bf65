// Lists inside plain JSON, read as lists of one kind of item. Items of another kind are left out.

import { isJsonObject, type JsonObject, listAt } from "./schema/json-value.ts";

export function objectsAt(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  return listAt(object, name).filter(isJsonObject);
}

export function stringsAt(object: JsonObject | undefined, name: string): readonly string[] {
  return listAt(object, name).filter((item) => typeof item === "string");
}
