// `fieldPath` of a rule: `.a.b` or `.m['key']`, below the place of the rule. Lists cannot be reached.

import { childPath, keyPath } from "../../field-cause.ts";
import type { StructuralSchema } from "../structural-schema.ts";

const step = /^(?:\.([A-Za-z_]\w*)|\['([^']*)'\])/;

/** The full path, or undefined when the schema has no such field. */
export function resolveRulePath(schema: StructuralSchema, fieldPath: string, at: string): string | undefined {
  const [whole, field, key] = step.exec(fieldPath) ?? [];
  if (whole === undefined) return undefined;
  const name = field ?? key ?? "";
  const declared = schema.properties?.[name];
  const isMap = typeof schema.additionalProperties === "object";
  const inner = declared ?? (isMap ? schema.additionalProperties : undefined);
  if (typeof inner !== "object") return undefined;
  const path = declared === undefined ? keyPath(at, name) : childPath(at, name);
  const rest = fieldPath.slice(whole.length);
  return rest === "" ? path : resolveRulePath(inner, rest, path);
}
