// `matchConditions`: CEL over the request that spares a webhook calls it would wave through. An expression that we cannot
// compile keeps the configuration from being stored; none is ever skipped.

import { Environment } from "@marcbachmann/cel-js";
import type { Json, JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import { isJsonList, isJsonObject, presentFields, stringAt } from "../schema/json-value.ts";
import { requestBody } from "./review-request.ts";
import type { AdmissionRequest } from "./webhooks.ts";

const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  .registerVariable("object", "dyn")
  .registerVariable("oldObject", "dyn")
  .registerVariable("request", "dyn");

/** What is wrong with an expression, or undefined. */
export function conditionProblem(expression: string): string | undefined {
  try {
    const { valid, error, type } = environment.check(expression);
    if (!valid) return `compilation failed: ${error?.message ?? "unknown error"}`;
    return type === "bool" || type === "dyn" ? undefined : `must evaluate to bool but got ${String(type)}`;
  } catch (error) {
    return `compilation failed: ${messageOf(error)}`;
  }
}

export type Conditions = { readonly match: boolean } | { readonly problem: string };

/** One condition that says no is enough, even when another cannot be evaluated. */
export function matchConditions(webhook: JsonObject, request: AdmissionRequest): Conditions {
  const conditions = objectsAt(webhook, "matchConditions");
  if (conditions.length === 0) return { match: true };
  const variables = {
    object: toCel(request.object ?? null),
    oldObject: toCel(request.oldObject ?? null),
    request: toCel(requestBody(request, request.version, "")),
  };
  const results = conditions.map((condition) => evaluate(stringAt(condition, "expression"), variables));
  if (results.includes(false)) return { match: false };
  const problem = results.find((result) => typeof result === "string");
  return typeof problem === "string" ? { problem } : { match: true };
}

function evaluate(expression: string, variables: Record<string, unknown>): boolean | string {
  try {
    const result: unknown = environment.evaluate(expression, variables);
    return typeof result === "boolean" ? result : `expression '${expression}' did not evaluate to a boolean`;
  } catch (error) {
    return `expression '${expression}' resulted in error: ${messageOf(error)}`;
  }
}

/** CEL tells integers from doubles; JSON does not. */
function toCel(value: Json | undefined): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (isJsonList(value)) return value.map(toCel);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(presentFields(value).map((name) => [name, toCel(value[name])]));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
