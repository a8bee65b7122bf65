// The limits a schema puts on one value, apart from what lies inside it.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { childPath, invalid, noField, required, tooLong, tooMany, typeInvalid } from "../field-cause.ts";
import { hasFormat } from "./formats.ts";
import { type Json, type JsonObject, presentFields, sameJson } from "./json-value.ts";
import { matchesPattern } from "./pattern.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export function stringProblems(schema: StructuralSchema, value: string, path: string): readonly FieldCause[] {
  const { minLength, maxLength, pattern, format } = schema;
  const problems: FieldCause[] = [];
  if (maxLength !== undefined && lengthOf(value) > maxLength) problems.push(tooLong(path, maxLength));
  if (minLength !== undefined && lengthOf(value) < minLength) {
    problems.push(invalid(path, value, `${path} in body should be at least ${minLength} chars long`));
  }
  if (pattern !== undefined && pattern !== "" && !matchesPattern(pattern, value)) {
    problems.push(invalid(path, value, `${path} in body should match '${pattern}'`));
  }
  if (format !== undefined && !hasFormat(format, value)) {
    problems.push(typeInvalid(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`));
  }
  return problems;
}

/** The server counts code points here and calls them bytes. */
function lengthOf(text: string): number {
  return [...text].length;
}

const integerRanges: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63 - 1],
};

export function numberProblems(schema: StructuralSchema, value: number, path: string): readonly FieldCause[] {
  const { minimum, maximum, multipleOf } = schema;
  const problems: FieldCause[] = [];
  const say = (detail: string): number => problems.push(invalid(path, value, `${path} in body should be ${detail}`));
  const [lowest, highest] = integerRanges[schema.format ?? ""] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (schema.type === "integer" && (value < lowest || value > highest)) {
    problems.push(
      invalid(noField, "", `Checked value must be of type integer with format ${schema.format} in ${path}`),
    );
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) say(`a multiple of ${multipleOf}`);
  if (maximum !== undefined && schema.exclusiveMaximum === true && value >= maximum) say(`less than ${maximum}`);
  else if (maximum !== undefined && value > maximum) say(`less than or equal to ${maximum}`);
  if (minimum !== undefined && schema.exclusiveMinimum === true && value <= minimum) say(`greater than ${minimum}`);
  else if (minimum !== undefined && value < minimum) say(`greater than or equal to ${minimum}`);
  return problems;
}

export function arrayProblems(schema: StructuralSchema, value: readonly Json[], path: string): readonly FieldCause[] {
  const { minItems, maxItems, uniqueItems } = schema;
  const problems: FieldCause[] = [];
  if (minItems !== undefined && value.length < minItems) {
    problems.push(invalid(path, value.length, `${path} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) problems.push(tooMany(path, value.length, maxItems));
  if (uniqueItems === true && value.some((item, i) => value.slice(0, i).some((earlier) => sameJson(earlier, item)))) {
    problems.push(invalid(path, "", `${path} in body shouldn't contain duplicates`));
  }
  return problems;
}

export function objectProblems(schema: StructuralSchema, value: JsonObject, path: string): readonly FieldCause[] {
  const { minProperties, maxProperties } = schema;
  const count = presentFields(value).length;
  const problems: FieldCause[] = [];
  if (minProperties !== undefined && count < minProperties) {
    problems.push(invalid(path, count, `${path} in body should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && count > maxProperties) problems.push(tooMany(path, count, maxProperties));
  for (const name of schema.required ?? []) {
    if (value[name] === undefined) problems.push(required(childPath(path, name)));
  }
  return problems;
}
