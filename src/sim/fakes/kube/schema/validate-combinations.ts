// allOf, anyOf, oneOf, not: value validations that alternatives put on one value.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { invalid, noField } from "../field-cause.ts";
import type { Json } from "./json-value.ts";
import type { StructuralSchema } from "./structural-schema.ts";

type Validate = (schema: StructuralSchema, value: Json, path: string) => readonly FieldCause[];

export function combinationProblems(
  schema: StructuralSchema,
  value: Json,
  path: string,
  validate: Validate,
): readonly FieldCause[] {
  if (!isCombined(schema)) return [];
  const check = (alternative: StructuralSchema): readonly FieldCause[] => validate(alternative, value, path);
  return [
    ...allOfProblems(schema.allOf ?? [], path, check),
    ...anyOfProblems(schema.anyOf ?? [], path, check),
    ...oneOfProblems(schema.oneOf ?? [], path, check),
    ...(schema.not !== undefined && check(schema.not).length === 0
      ? [whole(path, "must not validate the schema (not)")]
      : []),
  ];
}

export function isCombined({ allOf, anyOf, oneOf, not }: StructuralSchema): boolean {
  return allOf !== undefined || anyOf !== undefined || oneOf !== undefined || not !== undefined;
}

type Check = (alternative: StructuralSchema) => readonly FieldCause[];

function allOfProblems(alternatives: readonly StructuralSchema[], path: string, check: Check): readonly FieldCause[] {
  const results = alternatives.map(check);
  const failed = results.filter((problems) => problems.length > 0);
  if (failed.length === 0) return [];
  const none = failed.length === results.length ? ". None validated" : "";
  return [...failed.flat(), whole(path, `must validate all the schemas (allOf)${none}`)];
}

function anyOfProblems(alternatives: readonly StructuralSchema[], path: string, check: Check): readonly FieldCause[] {
  const results = alternatives.map(check);
  if (results.length === 0 || results.some((problems) => problems.length === 0)) return [];
  return [whole(path, "must validate at least one schema (anyOf)"), ...fewest(results)];
}

function oneOfProblems(alternatives: readonly StructuralSchema[], path: string, check: Check): readonly FieldCause[] {
  if (alternatives.length === 0) return [];
  const results = alternatives.map(check);
  const valid = results.filter((problems) => problems.length === 0).length;
  if (valid === 1) return [];
  const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
  const problem = whole(path, `must validate one and only one schema (oneOf). ${found}`);
  return valid === 0 ? [problem, ...fewest(results)] : [problem];
}

/** The alternative that came closest is the one worth explaining. */
function fewest(results: readonly (readonly FieldCause[])[]): readonly FieldCause[] {
  return results.reduce((best, problems) => (problems.length < best.length ? problems : best));
}

function whole(path: string, detail: string): FieldCause {
  return invalid(noField, "", `${JSON.stringify(path)} ${detail}`);
}
