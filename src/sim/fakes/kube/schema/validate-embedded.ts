// An embedded resource is an object of some other kind inside a field: it must say which one.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { childPath, invalid, required } from "../field-cause.ts";
import { isJsonObject, type Json } from "./json-value.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export function embeddedProblems(schema: StructuralSchema, value: Json, path: string): readonly FieldCause[] {
  if (schema["x-kubernetes-embedded-resource"] !== true || !isJsonObject(value)) return [];
  const problems = ["apiVersion", "kind"].flatMap((name): readonly FieldCause[] => {
    const field = value[name];
    const at = childPath(path, name);
    if (field === undefined) return [required(at)];
    if (typeof field !== "string") return [invalid(at, field, "must be a string")];
    return field === "" ? [invalid(at, field, "must not be empty")] : [];
  });
  if (value.metadata === undefined || isJsonObject(value.metadata)) return problems;
  return [...problems, invalid(childPath(path, "metadata"), value.metadata, "must be an object")];
}
