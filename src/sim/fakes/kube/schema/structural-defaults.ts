// A default must be a value that the schema itself would accept and keep.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { childPath, invalid, noField } from "../field-cause.ts";
import { evaluateValueRules } from "./cel-rules.ts";
import { isJsonObject, sameJson } from "./json-value.ts";
import { pruneInside } from "./prune.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validateSchema } from "./validate.ts";

export function defaultProblems(schema: StructuralSchema, path: string): readonly FieldCause[] {
  const value = schema.default;
  // Null is no default at all.
  if (value === undefined || value === null) return [];
  const at = childPath(path, "default");
  if (isJsonObject(value) && !sameJson(pruneInside(schema, value), value)) {
    return [invalid(at, value, "must not have unknown fields")];
  }
  const shape = validateSchema(schema, value, "");
  const problems = shape.length > 0 ? shape : evaluateValueRules(schema, value);
  return problems.map((problem) => ({
    ...problem,
    field: problem.field === noField ? at : childPath(at, problem.field),
  }));
}
