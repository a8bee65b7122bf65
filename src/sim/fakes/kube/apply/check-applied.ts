// What an apply must carry before merging is even tried. Duplicate keys and undeclared fields are refused here.

import {
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  objectAt,
  presentFields,
  stringAt,
} from "../schema/json-value.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { isAtomicMap, listShape, type MergeType, mergeType, typeOfField, typeOfItem } from "./merge-type.ts";
import { itemElement, printElement } from "./path-element.ts";

export interface ApplyFailure {
  readonly status: 400 | 422 | 500;
  readonly message: string;
}

export function checkApplied(
  schema: StructuralSchema,
  applied: JsonObject,
  apiVersion: string,
): ApplyFailure | undefined {
  const given = stringAt(applied, "apiVersion");
  if (stringAt(applied, "kind") === "") return { status: 400, message: "Object 'Kind' is missing" };
  if (given !== apiVersion) {
    const message = `Incorrect version specified in apply patch. Specified patch version: ${given}, expected: ${apiVersion}`;
    return { status: 400, message };
  }
  if (isJsonList(objectAt(applied, "metadata").managedFields)) {
    return { status: 400, message: "metadata.managedFields must be nil" };
  }
  const [problem] = typingProblems(mergeType(schema), applied, "");
  if (problem === undefined) return undefined;
  return { status: 500, message: `failed to create typed patch object: ${problem}` };
}

/** Why a schema cannot say how the value merges. Stored lists may hold a key twice; applied ones may not. */
export function typingProblems(type: MergeType, value: Json, path: string, isStored = false): readonly string[] {
  if (isJsonList(value)) return listProblems(type, value, path, isStored);
  if (!isJsonObject(value) || isAtomicMap(type)) return [];
  return presentFields(value).flatMap((name) => {
    const field = typeOfField(type, name);
    const at = `${path}.${name}`;
    return field === undefined
      ? [`${at}: field not declared in schema`]
      : typingProblems(field, value[name] ?? null, at, isStored);
  });
}

function listProblems(type: MergeType, list: readonly Json[], path: string, isStored: boolean): readonly string[] {
  const shape = listShape(type);
  if (shape.kind === "atomic") return [];
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const key = itemElement(shape, item);
    if (key === undefined)
      return [`${path}: element ${index}: associative list with keys has an element that omits all key fields`];
    if (seen.has(key) && !isStored) return [`${path}: duplicate entries for key ${printElement(key)}`];
    seen.add(key);
    return typingProblems(typeOfItem(type), item, `${path}${printElement(key)}`, isStored);
  });
}
