// Runs one rule on one value, and words its failure as the API server does.

import { Optional } from "@marcbachmann/cel-js";
import type { FieldCause } from "../../../../../core/kube-error.ts";
import { forbidden, required } from "../../field-cause.ts";
import { isUnchanged } from "../correlate.ts";
import { isJsonList, isJsonObject, type Json } from "../json-value.ts";
import type { StructuralSchema } from "../structural-schema.ts";
import type { CelType } from "./cel-type.ts";
import { firstLine } from "./compile-rule.ts";
import { resolveRulePath } from "./rule-path.ts";
import type { SchemaRule } from "./schema-rules.ts";
import { toCel } from "./to-cel.ts";

export function evaluateRule(
  schema: StructuralSchema,
  type: CelType | undefined,
  { rule, compiled, message, isTransition }: SchemaRule,
  value: Json,
  old: Json | undefined,
  path: string,
): readonly FieldCause[] {
  if (!compiled.ok || type === undefined) return [failure(value, path, "rule compile error")];
  if (isTransition && old === undefined && rule.optionalOldSelf !== true) return [];
  // What did not change was accepted before; only a rule about the change itself may still object.
  if (!isTransition && old !== undefined && isUnchanged(schema, value, old)) return [];
  const before = old === undefined || old === null ? undefined : toCel(type, old);
  const variables = {
    self: toCel(type, value),
    ...(isTransition ? { oldSelf: rule.optionalOldSelf === true ? Optional.of(before) : before } : {}),
  };
  const said = rule.message === undefined || rule.message === "" ? `failed rule: ${rule.rule}` : rule.message;
  try {
    if (compiled.evaluate(variables) === true) return [];
  } catch (error) {
    return [
      {
        reason: "FieldValueInvalid",
        field: path,
        message: `Invalid value: "object": ${firstLine(error)} evaluating rule: ${said}`,
      },
    ];
  }
  const at = rule.fieldPath === undefined ? path : (resolveRulePath(schema, rule.fieldPath, path) ?? path);
  return [byReason(rule.reason, value, at, messageOf(message, variables) ?? said)];
}

function messageOf(message: SchemaRule["message"], variables: Readonly<Record<string, unknown>>): string | undefined {
  if (message === undefined || !message.ok) return undefined;
  try {
    const text = message.evaluate(variables);
    return typeof text === "string" && text.trim() !== "" && !text.includes("\n") ? text : undefined;
  } catch {
    // The server falls back to the fixed message, and so do we.
    return undefined;
  }
}

function byReason(reason: string | undefined, value: Json, path: string, said: string): FieldCause {
  switch (reason) {
    case "FieldValueForbidden":
      return forbidden(path, said);
    case "FieldValueRequired":
      return required(path, said);
    case "FieldValueDuplicate":
      return { reason, field: path, message: `Duplicate value${shown(value, ": ", "")}` };
    default:
      return failure(value, path, said);
  }
}

function failure(value: Json, path: string, said: string): FieldCause {
  const field = path === "" ? "<nil>" : path;
  return { reason: "FieldValueInvalid", field, message: `Invalid value: ${shown(value, "", ": ")}${said}` };
}

/** Objects and lists are left out of messages. */
function shown(value: Json, before: string, after: string): string {
  return isJsonObject(value) || isJsonList(value) ? "" : `${before}${JSON.stringify(value)}${after}`;
}
