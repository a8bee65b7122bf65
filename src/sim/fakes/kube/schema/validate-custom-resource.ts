// Everything a CRD's schema says about an object: shape first, rules if the shape allows to ask them.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { noField } from "../field-cause.ts";
import { evaluateRules } from "./cel-rules.ts";
import type { JsonObject } from "./json-value.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { validateSchema } from "./validate.ts";

/** With these, a rule might meet a value it was not compiled for. */
const blocking = new Set([
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
  "FieldValueNotSupported",
]);

export function validateCustomResource(
  schema: StructuralSchema,
  object: JsonObject,
  old?: JsonObject,
): readonly FieldCause[] {
  const problems = validateSchema(schema, object, "", old);
  if (!problems.some((problem) => blocking.has(problem.reason)))
    return [...problems, ...evaluateRules(schema, object, old)];
  return hasRules(schema) ? [...problems, rulesSkipped] : problems;
}

const rulesSkipped: FieldCause = {
  reason: "FieldValueInvalid",
  field: noField,
  message:
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
};

function hasRules(schema: StructuralSchema): boolean {
  const { properties = {}, items, additionalProperties } = schema;
  if ((schema["x-kubernetes-validations"] ?? []).length > 0) return true;
  const inner = [
    ...Object.entries(properties).flatMap(([name, field]) => (name === "metadata" ? [] : [field])),
    items,
    additionalProperties,
  ];
  return inner.some((one) => typeof one === "object" && hasRules(one));
}
