// Checks a value against an OpenAPI schema as the API server does, and returns every problem, not the first.
// With the old value given, what did not change is not complained about.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { childPath, invalid, itemPath, notSupported, typeInvalid } from "../field-cause.ts";
import { correlatedItem, isUnchanged } from "./correlate.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject, sameJson } from "./json-value.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { combinationProblems } from "./validate-combinations.ts";
import { embeddedProblems } from "./validate-embedded.ts";
import { duplicateItems } from "./validate-list-type.ts";
import { arrayProblems, numberProblems, objectProblems, stringProblems } from "./validate-value.ts";
import { typeOfValue } from "./value-type.ts";

export function validateSchema(schema: StructuralSchema, value: Json, path = "", old?: Json): readonly FieldCause[] {
  // Ratcheting: an object that was stored before the schema got stricter stays editable elsewhere.
  if (old !== undefined && isUnchanged(schema, value, old)) return [];
  if (value === null && schema.nullable === true) return [];
  const wrongType = typeProblem(schema, value, path);
  if (wrongType !== undefined) return [wrongType];
  return [
    ...ownProblems(schema, value, path),
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
  const problems: FieldCause[] = [];
  if (schema.enum !== undefined && !schema.enum.some((one) => sameJson(one, value))) {
    problems.push(notSupported(path, value, schema.enum));
  }
  if (typeof value === "string") problems.push(...stringProblems(schema, value, path));
  if (typeof value === "number") problems.push(...numberProblems(schema, value, path));
  if (isJsonList(value)) problems.push(...arrayProblems(schema, value, path));
  if (isJsonObject(value)) problems.push(...objectProblems(schema, value, path));
  return problems;
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
  return Object.entries(value).flatMap(([name, field]) => {
    if (field === undefined) return [];
    const at = childPath(path, name);
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (declared !== undefined) return validateSchema(declared, field, at, old[name]);
    if (typeof additionalProperties === "object") return validateSchema(additionalProperties, field, at, old[name]);
    return additionalProperties === false ? [invalid(at, "", `${at} in body is a forbidden property`)] : [];
  });
}
