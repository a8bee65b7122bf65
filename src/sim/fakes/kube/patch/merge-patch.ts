// JSON merge patch: objects merge, null removes, everything else replaces.

import type { Json, JsonObject } from "../json.ts";
import { isJsonObject } from "../schema/json-value.ts";

export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, Json | undefined> = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else if (value !== undefined) result[name] = mergePatch(result[name], value);
  }
  return result satisfies JsonObject;
}
