// Strategic merge patch: a merge patch that knows from the schema which lists merge by a key and which replace, with the
// directives $patch, $retainKeys, $setElementOrder/… and $deleteFromPrimitiveList/….

import type { Json, JsonObject } from "../json.ts";
import { textOf } from "../json-text.ts";
import { isJsonList, isJsonObject, sameJson } from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";

export class BadStrategicPatch extends Error {}

const orderPrefix = "$setElementOrder/";
const deletePrefix = "$deleteFromPrimitiveList/";

export function strategicMergePatch(
  schema: StructuralSchema | undefined,
  target: JsonObject,
  patch: JsonObject,
): JsonObject {
  if (patch["$patch"] === "replace") return withoutDirectives(patch);
  if (patch["$patch"] === "delete") return {};
  if (patch["$patch"] !== undefined && patch["$patch"] !== "merge") {
    throw new BadStrategicPatch(`unknown $patch type: ${textOf(patch["$patch"])}`);
  }
  const result: Record<string, Json | undefined> = { ...retained(target, patch["$retainKeys"]) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined || isDirectiveName(name)) continue;
    if (value === null) delete result[name];
    else result[name] = mergedField(fieldSchema(schema, name), result[name], value);
  }
  deleteFromLists(result, patch);
  orderLists(schema, result, patch);
  return result;
}

function mergedField(schema: StructuralSchema | undefined, target: Json | undefined, patch: Json): Json {
  if (isJsonObject(patch)) return strategicMergePatch(schema, isJsonObject(target) ? target : {}, patch);
  if (!isJsonList(patch)) return patch;
  const strategy = (schema?.["x-kubernetes-patch-strategy"] ?? "").split(",");
  const mergeKey = schema?.["x-kubernetes-patch-merge-key"];
  if (!strategy.includes("merge")) return patch.filter((item) => !isDirective(item));
  const present = isJsonList(target) ? target : [];
  if (mergeKey === undefined)
    return [...present, ...patch.filter((item) => !present.some((other) => sameJson(other, item)))];
  return mergedList(schema?.items, present, patch, mergeKey);
}

function mergedList(
  itemSchema: StructuralSchema | undefined,
  target: readonly Json[],
  patch: readonly Json[],
  mergeKey: string,
): readonly Json[] {
  if (patch.some((item) => isJsonObject(item) && item["$patch"] === "replace" && item[mergeKey] === undefined)) {
    return patch.filter((item) => !isDirective(item));
  }
  const result = [...target];
  for (const item of patch) {
    if (!isJsonObject(item)) continue;
    const key = item[mergeKey];
    if (key === undefined)
      throw new BadStrategicPatch(`map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`);
    const at = result.findIndex((other) => isJsonObject(other) && sameJson(other[mergeKey], key));
    const present = result[at];
    if (item["$patch"] === "delete") {
      if (at >= 0) result.splice(at, 1);
    } else if (at < 0) result.push(strategicMergePatch(itemSchema, {}, item));
    else result[at] = strategicMergePatch(itemSchema, isJsonObject(present) ? present : {}, item);
  }
  return result;
}

function deleteFromLists(result: Record<string, Json | undefined>, patch: JsonObject): void {
  for (const [name, unwanted] of Object.entries(patch)) {
    if (!name.startsWith(deletePrefix) || !isJsonList(unwanted)) continue;
    const field = name.slice(deletePrefix.length);
    const present = result[field];
    if (isJsonList(present)) result[field] = present.filter((item) => !unwanted.some((other) => sameJson(other, item)));
  }
}

// Items named by the order take each other's places in that order; items only the server knows stay where they are.
function orderLists(
  schema: StructuralSchema | undefined,
  result: Record<string, Json | undefined>,
  patch: JsonObject,
): void {
  for (const [name, order] of Object.entries(patch)) {
    if (!name.startsWith(orderPrefix) || !isJsonList(order)) continue;
    const field = name.slice(orderPrefix.length);
    const present = result[field];
    if (!isJsonList(present)) continue;
    const mergeKey = fieldSchema(schema, field)?.["x-kubernetes-patch-merge-key"];
    const keyOf = (item: Json): Json | undefined =>
      mergeKey !== undefined && isJsonObject(item) ? item[mergeKey] : item;
    const rank = (item: Json): number => order.findIndex((other) => sameJson(keyOf(other), keyOf(item)));
    const named = present.filter((item) => rank(item) >= 0).sort((a, b) => rank(a) - rank(b));
    result[field] = present.map((item) => (rank(item) < 0 ? item : (named.shift() ?? item)));
  }
}

function retained(target: JsonObject, keys: Json | undefined): JsonObject {
  if (!isJsonList(keys)) return target;
  return Object.fromEntries(Object.entries(target).filter(([name]) => keys.includes(name)));
}

function fieldSchema(schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined {
  const extra = schema?.additionalProperties;
  return schema?.properties?.[name] ?? (typeof extra === "object" ? extra : undefined);
}

function isDirective(item: Json): boolean {
  return isJsonObject(item) && item["$patch"] !== undefined;
}

function isDirectiveName(name: string): boolean {
  return name === "$patch" || name === "$retainKeys" || name.startsWith(orderPrefix) || name.startsWith(deletePrefix);
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !isDirectiveName(name)));
}
