// The handful of ways in which the real server words what is wrong with one field.

import type { FieldCause } from "../../../../core/kube-error.ts";
import type { Json } from "../json.ts";

export function invalidValue(field: string, value: Json | undefined, why: string): FieldCause {
  return { field, reason: "FieldValueInvalid", message: `Invalid value: ${JSON.stringify(value ?? null)}: ${why}` };
}

export function requiredValue(field: string, why = ""): FieldCause {
  return { field, reason: "FieldValueRequired", message: why === "" ? "Required value" : `Required value: ${why}` };
}

export function forbiddenValue(field: string, why: string): FieldCause {
  return { field, reason: "FieldValueForbidden", message: `Forbidden: ${why}` };
}

export function unsupportedValue(field: string, value: Json | undefined, supported: readonly string[]): FieldCause {
  const list = supported.map((word) => JSON.stringify(word)).join(", ");
  const message = `Unsupported value: ${JSON.stringify(value ?? null)}: supported values: ${list}`;
  return { field, reason: "FieldValueNotSupported", message };
}

export function duplicateValue(field: string, value: Json): FieldCause {
  return { field, reason: "FieldValueDuplicate", message: `Duplicate value: ${JSON.stringify(value)}` };
}

export function immutableField(field: string, value: Json | undefined): FieldCause {
  return invalidValue(field, value, "field is immutable");
}
