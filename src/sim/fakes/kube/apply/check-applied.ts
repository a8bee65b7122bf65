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
import { settledValues } from "../schema/settled-values.ts";
import type { StructuralSchema } from "../schema/structural-schema.ts";
import { listShape, type MergeType, mergeType, typeOfField, typeOfItem } from "./merge-type.ts";
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

/** That can be merged by their schema, where no ancestor preserves unknown fields. */
const stored = settledValues();

/** Why a schema cannot say how the value merges. Stored lists may hold a key twice; applied ones may not. */
export function typingProblems(type: MergeType, value: Json, path: string, isStored = false): readonly string[] {
  const isRemembered = isStored && !type.preserving;
  if (isRemembered && stored.has(type.schema, value)) return [];
  const problems = problemsOf(type, value, path, isStored);
  if (isRemembered && problems.length === 0) stored.add(type.schema, value);
  return problems;
}

function problemsOf(type: MergeType, value: Json, path: string, isStored: boolean): readonly string[] {
  const wrong = isStored ? undefined : wrongType(type, value);
  if (wrong !== undefined) return [`${path}: ${wrong}`];
  if (isJsonList(value)) return listProblems(type, value, path, isStored);
  if (!isJsonObject(value)) return [];
  const problems: string[] = [];
  for (const name of presentFields(value)) {
    const field = typeOfField(type, name);
    const at = `${path}.${name}`;
    if (field === undefined) problems.push(`${at}: field not declared in schema`);
    else problems.push(...typingProblems(field, value[name] ?? null, at, isStored));
  }
  return problems;
}

const expectations: Readonly<Record<string, readonly [text: string, fits: (value: Json) => boolean]>> = {
  object: ["expected map", isJsonObject],
  array: ["expected list", isJsonList],
  string: ["expected string", (value) => typeof value === "string"],
  boolean: ["expected boolean", (value) => typeof value === "boolean"],
  integer: ["expected numeric (int or float)", (value) => typeof value === "number"],
  number: ["expected numeric (int or float)", (value) => typeof value === "number"],
};

function wrongType({ schema }: MergeType, value: Json): string | undefined {
  if (value === null || schema["x-kubernetes-int-or-string"] === true) return undefined;
  const [text, fits] = expectations[schema.type ?? ""] ?? [];
  return fits === undefined || fits(value) ? undefined : `${text}, got ${JSON.stringify(value)}`;
}

function listProblems(type: MergeType, list: readonly Json[], path: string, isStored: boolean): readonly string[] {
  const shape = listShape(type);
  if (shape.kind === "atomic") {
    return list.flatMap((item, index) => typingProblems(typeOfItem(type), item, `${path}[${index}]`, isStored));
  }
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
