// Checks a value against an OpenAPI schema as the API server does, and returns every problem, not the first.
// With the old value given, what did not change is not complained about.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { childPath, invalid, itemPath, notSupported, typeInvalid } from "../field-cause.ts";
import { correlatedItem, isUnchanged } from "./correlate.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, sameJson } from "./json-value.ts";
import { settledValues } from "./settled-values.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { combinationProblems, isCombined } from "./validate-combinations.ts";
import { embeddedProblems } from "./validate-embedded.ts";
import { duplicateItems } from "./validate-list-type.ts";
import { arrayProblems, numberProblems, objectProblems, stringProblems } from "./validate-value.ts";
import { typeOfValue } from "./value-type.ts";

/** That the schema had nothing against. */
const sound = settledValues();

export function validateSchema(schema: StructuralSchema, value: Json, path = "", old?: Json): readonly FieldCause[] {
  if (sound.has(schema, value)) return none;
  const problems = problemsOf(schema, value, path, undefined);
  if (problems.length === 0) sound.add(schema, value);
  // An old value only ever takes complaints away.
  return problems.length === 0 || old === undefined ? problems : problemsOf(schema, value, path, old);
}

const none: readonly FieldCause[] = [];

function problemsOf(schema: StructuralSchema, value: Json, path: string, old: Json | undefined): readonly FieldCause[] {
  // Ratcheting: an object that was stored before the schema got stricter stays editable elsewhere.
  if (old !== undefined && isUnchanged(schema, value, old)) return none;
  if (value === null && schema.nullable === true) return none;
  const wrongType = typeProblem(schema, value, path);
  if (wrongType !== undefined) return [wrongType];
  const own = ownProblems(schema, value, path);
  const isPlain = typeof value !== "object" && !isCombined(schema);
  if (isPlain) return own;
  return [
    ...own,
    ...embeddedProblems(schema, value, path),
    ...duplicateItems(schema, value, path),
    ...childProblems(schema, value, path, old),
    ...combinationProblems(schema, value, path, validateSchema),
  ];
}

function typeProblem(schema: StructuralSchema, value: Json, path: string): FieldCause | undefined {
  const allowed = allowedTypes(schema);
  const actual = typeOfValue(value);
  if (allowed.length === 0 || allowed.includes(actual)) return undefined;
  if (actual === "integer" && allowed.includes("number")) return undefined;
  return typeInvalid(path, actual, `${path} in body must be of type ${allowed.join(",")}: ${JSON.stringify(actual)}`);
}

function allowedTypes(schema: StructuralSchema): readonly string[] {
  if (schema["x-kubernetes-int-or-string"] === true) return ["integer", "string"];
  return schema.type === undefined || schema.type === "" ? [] : [schema.type];
}

function ownProblems(schema: StructuralSchema, value: Json, path: string): readonly FieldCause[] {
  const isAllowed = schema.enum === undefined || schema.enum.some((one) => sameJson(one, value));
  const limits = limitProblems(schema, value, path);
  return isAllowed ? limits : [notSupported(path, value, schema.enum), ...limits];
}

function limitProblems(schema: StructuralSchema, value: Json, path: string): readonly FieldCause[] {
  if (typeof value === "string") return stringProblems(schema, value, path);
  if (typeof value === "number") return numberProblems(schema, value, path);
  if (isJsonList(value)) return arrayProblems(schema, value, path);
  return isJsonObject(value) ? objectProblems(schema, value, path) : none;
}

function childProblems(
  schema: StructuralSchema,
  value: Json,
  path: string,
  old: Json | undefined,
): readonly FieldCause[] {
  if (isJsonList(value)) {
    const { items } = schema;
    if (items === undefined) return [];
    return value.flatMap((item, i) =>
      validateSchema(items, item, itemPath(path, i), correlatedItem(schema, item, old)),
    );
  }
  return isJsonObject(value) ? fieldProblems(schema, value, path, isJsonObject(old) ? old : {}) : [];
}

function fieldProblems(
  schema: StructuralSchema,
  value: JsonObject,
  path: string,
  old: JsonObject,
): readonly FieldCause[] {
  const { properties = {}, additionalProperties } = schema;
  const others = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const problems: FieldCause[] = [];
  for (const name of Object.keys(value)) {
    const field = value[name];
    if (field === undefined) continue;
    const inner = (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? others;
    const at = childPath(path, name);
    if (inner !== undefined) problems.push(...validateSchema(inner, field, at, old[name]));
    else if (additionalProperties === false) problems.push(invalid(at, "", `${at} in body is a forbidden property`));
  }
  return problems;
}
