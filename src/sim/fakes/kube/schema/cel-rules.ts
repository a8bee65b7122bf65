// x-kubernetes-validations: compiled when a CRD arrives, evaluated when an object does. An expression that cannot be
// compiled makes the CRD invalid. Of the real server's cost limits only the number of runs is bounded here: it also
// estimates what each run costs.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { childPath, forbidden, invalid, itemPath, keyPath, notSupported, required } from "../field-cause.ts";
import { type Limit, maxRuleRuns, ruleRuns, timesLimit } from "./cel/cardinality.ts";
import { evaluateRule } from "./cel/evaluate-rule.ts";
import { resolveRulePath } from "./cel/rule-path.ts";
import { type SchemaRule, schemaRules } from "./cel/schema-rules.ts";
import { correlatedItem } from "./correlate.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "./json-value.ts";
import type { StructuralSchema } from "./structural-schema.ts";

export function evaluateRules(
  schema: StructuralSchema,
  self: JsonObject,
  oldSelf: JsonObject | undefined,
): readonly FieldCause[] {
  return evaluateAt(schema, self, oldSelf, "", true);
}

/** The rules on a value that stands alone, such as a default. */
export function evaluateValueRules(schema: StructuralSchema, value: Json): readonly FieldCause[] {
  return evaluateAt(schema, value, undefined, "");
}

function evaluateAt(
  schema: StructuralSchema,
  value: Json,
  old: Json | undefined,
  path: string,
  isRoot = false,
): readonly FieldCause[] {
  const own =
    value === null || (schema["x-kubernetes-validations"] ?? []).length === 0
      ? []
      : schemaRules(schema, isRoot).rules.flatMap((rule) =>
          evaluateRule(schema, schemaRules(schema, isRoot).type, rule, value, old, path),
        );
  return [...own, ...evaluateInside(schema, value, old, path)];
}

function evaluateInside(
  schema: StructuralSchema,
  value: Json,
  old: Json | undefined,
  path: string,
): readonly FieldCause[] {
  const { items, properties = {}, additionalProperties } = schema;
  if (isJsonList(value)) {
    if (items === undefined) return [];
    return value.flatMap((item, i) => evaluateAt(items, item, correlatedItem(schema, item, old), itemPath(path, i)));
  }
  if (!isJsonObject(value)) return [];
  const before = isJsonObject(old) ? old : {};
  return Object.entries(value).flatMap(([name, field]) => {
    if (field === undefined) return [];
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (declared !== undefined) return evaluateAt(declared, field, before[name], childPath(path, name));
    if (typeof additionalProperties !== "object") return [];
    return evaluateAt(additionalProperties, field, before[name], keyPath(path, name));
  });
}

/** Why the rules of a schema cannot be used; `path` is where the schema stands. */
export function compileRules(schema: StructuralSchema, path = ""): readonly FieldCause[] {
  return compileAt(schema, { path, isCorrelatable: true, limit: 1, isRoot: true });
}

interface Place {
  readonly path: string;
  /** Whether the old value of this place can be found. */
  readonly isCorrelatable: boolean;
  /** What limits how often a rule here may run for one object. */
  readonly limit: Limit;
  readonly isRoot: boolean;
}

function compileAt(schema: StructuralSchema, place: Place): readonly FieldCause[] {
  const { items, properties = {}, additionalProperties } = schema;
  const { path, isCorrelatable, limit, isRoot } = place;
  const inside = { ...place, isRoot: false };
  const hasRules = (schema["x-kubernetes-validations"] ?? []).length > 0;
  const rules = hasRules ? schemaRules(schema, isRoot).rules : [];
  const isMapList = schema["x-kubernetes-list-type"] === "map";
  return [
    ...rules.flatMap((rule, i) =>
      ruleProblems(schema, rule, itemPath(childPath(path, "x-kubernetes-validations"), i), place),
    ),
    ...Object.entries(properties).flatMap(([name, field]) => {
      const at = keyPath(childPath(path, "properties"), name);
      return isRoot && name === "metadata" ? [] : compileAt(field, { ...inside, path: at });
    }),
    ...(items === undefined
      ? []
      : compileAt(items, {
          ...inside,
          path: childPath(path, "items"),
          isCorrelatable: isCorrelatable && isMapList,
          limit: timesLimit(limit, schema.maxItems),
        })),
    ...(typeof additionalProperties === "object"
      ? compileAt(additionalProperties, {
          ...inside,
          path: childPath(path, "additionalProperties"),
          limit: timesLimit(limit, schema.maxProperties),
        })
      : []),
  ];
}

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

function ruleProblems(
  schema: StructuralSchema,
  { rule, compiled, message, isTransition }: SchemaRule,
  path: string,
  { isCorrelatable, limit }: Place,
): readonly FieldCause[] {
  const at = (name: string): string => childPath(path, name);
  if (rule.rule.trim() === "") return [required(at("rule"), "rule is not specified")];
  const problems: FieldCause[] = [];
  if (!compiled.ok) problems.push(invalid(at("rule"), rule.rule, compiled.problem));
  if (message !== undefined && !message.ok) {
    problems.push(invalid(at("messageExpression"), rule.messageExpression, `messageExpression ${message.problem}`));
  }
  if (ruleRuns(schema, limit) > maxRuleRuns) {
    const detail =
      "estimated rule cost exceeds budget (try adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";
    problems.push(forbidden(at("rule"), detail));
  }
  if (isTransition && !isCorrelatable) {
    problems.push(invalid(at("rule"), rule.rule, "oldSelf cannot be used on the uncorrelatable portion of the schema"));
  }
  if (!isTransition && rule.optionalOldSelf === true) {
    problems.push(invalid(at("optionalOldSelf"), true, "may not be set if oldSelf is not used in rule"));
  }
  if (rule.message?.includes("\n") === true)
    problems.push(invalid(at("message"), rule.message, "must not contain line breaks"));
  if (rule.reason !== undefined && !reasons.includes(rule.reason))
    problems.push(notSupported(at("reason"), rule.reason, reasons));
  if (rule.fieldPath !== undefined && resolveRulePath(schema, rule.fieldPath, "") === undefined) {
    problems.push(invalid(at("fieldPath"), rule.fieldPath, "must be a valid path"));
  }
  return problems;
}
