// Field errors in the API server's words: the causes of a 422.

import type { FieldCause } from "../../../core/kube-error.ts";
import type { Json } from "./json.ts";

/** What the server names when an error has no field. */
export const noField = "<nil>";

export function childPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

export function itemPath(path: string, index: number): string {
  return `${path}[${index}]`;
}

export function keyPath(path: string, key: string): string {
  return `${path}[${key}]`;
}

export function invalid(field: string, value: Json | undefined, detail: string): FieldCause {
  return cause("FieldValueInvalid", field, `Invalid value: ${JSON.stringify(value ?? null)}: ${detail}`);
}

export function immutableField(field: string, value: Json | undefined): FieldCause {
  return invalid(field, value, "field is immutable");
}

export function typeInvalid(field: string, value: Json, detail: string): FieldCause {
  return cause("FieldValueTypeInvalid", field, `Invalid value: ${JSON.stringify(value)}: ${detail}`);
}

export function required(field: string, detail = ""): FieldCause {
  return cause("FieldValueRequired", field, detail === "" ? "Required value" : `Required value: ${detail}`);
}

export function forbidden(field: string, detail: string): FieldCause {
  return cause("FieldValueForbidden", field, `Forbidden: ${detail}`);
}

export function duplicate(field: string, value: Json): FieldCause {
  return cause("FieldValueDuplicate", field, `Duplicate value: ${JSON.stringify(value)}`);
}

export function notSupported(field: string, value: Json | undefined, supported: readonly Json[]): FieldCause {
  const list = supported.map((one) => JSON.stringify(typeof one === "string" ? one : JSON.stringify(one))).join(", ");
  return cause(
    "FieldValueNotSupported",
    field,
    `Unsupported value: ${JSON.stringify(value ?? null)}: supported values: ${list}`,
  );
}

export function tooLong(field: string, max: number): FieldCause {
  return cause("FieldValueTooLong", field, `Too long: may not be more than ${max} bytes`);
}

export function tooMany(field: string, actual: number, max: number): FieldCause {
  return cause("FieldValueTooMany", field, `Too many: ${actual}: must have at most ${max} items`);
}

function cause(reason: string, field: string, message: string): FieldCause {
  return { reason, field: field === "" ? noField : field, message };
}
