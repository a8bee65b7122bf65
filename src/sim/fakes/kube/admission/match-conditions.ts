// `matchConditions`: CEL over the request that spares a webhook calls it would wave through. An expression that we cannot
// compile keeps the configuration from being stored; none is ever skipped.

import type { Environment } from "@marcbachmann/cel-js";
import type { Json, JsonObject } from "../json.ts";
import { objectsAt } from "../json-lists.ts";
import { ruleEnvironment } from "../schema/cel/base-environment.ts";
import { type Compiled, compileExpression } from "../schema/cel/compile-rule.ts";
import { isJsonList, isJsonObject, presentFields, stringAt } from "../schema/json-value.ts";
import { requestBody } from "./review-request.ts";
import type { AdmissionRequest, AdmissionWorld } from "./webhooks.ts";

const kindFields = { group: "string", version: "string", kind: "string" };
const resourceFields = { group: "string", version: "string", resource: "string" };
const requestFields = {
  kind: kindFields,
  resource: resourceFields,
  subResource: "string",
  requestKind: kindFields,
  requestResource: resourceFields,
  requestSubResource: "string",
  name: "string",
  // `namespace` is a reserved word of CEL; this is how its sources name such fields once they are adapted.
  __namespace__: "string",
  operation: "string",
  userInfo: { username: "string", uid: "string", groups: "list<string>", extra: "map<string, list<string>>" },
  dryRun: "bool",
  options: "dyn",
};

let environment: Environment | undefined;
const compiled = new Map<string, Compiled>();

/** Without `authorizer`: conditions that ask for it are refused. */
function compile(expression: string): Compiled {
  const known = compiled.get(expression);
  if (known !== undefined) return known;
  environment ??= ruleEnvironment()
    .registerVariable("object", "dyn")
    .registerVariable("oldObject", "dyn")
    .registerVariable("namespaceObject", "dyn")
    .registerVariable({ name: "request", schema: requestFields });
  const result = compileExpression(environment, expression, "bool");
  compiled.set(expression, result);
  return result;
}

/** What is wrong with an expression, or undefined. */
export function conditionProblem(expression: string): string | undefined {
  const result = compile(expression);
  return result.ok ? undefined : result.problem;
}

export type Conditions = { readonly match: boolean } | { readonly problem: string };

/** One condition that says no is enough, even when another cannot be evaluated. */
export function matchConditions(webhook: JsonObject, request: AdmissionRequest, world: AdmissionWorld): Conditions {
  const conditions = objectsAt(webhook, "matchConditions");
  if (conditions.length === 0) return { match: true };
  const variables = {
    object: toCel(request.object ?? null),
    oldObject: toCel(request.oldObject ?? null),
    namespaceObject: toCel(request.namespace === undefined ? null : world.namespace(request.namespace)),
    request: requestVariable(request),
  };
  const results = conditions.map((condition) => evaluate(stringAt(condition, "expression"), variables));
  if (results.includes(false)) return { match: false };
  const problem = results.find((result) => typeof result === "string");
  return typeof problem === "string" ? { problem } : { match: true };
}

/** Typed, so that a field which no request has does not compile; fields that this request lacks are empty. */
function requestVariable(request: AdmissionRequest): object {
  const {
    object: _,
    oldObject: __,
    uid: ___,
    namespace,
    userInfo,
    options,
    ...asked
  } = requestBody(request, request.version, "");
  const who = { uid: "", extra: {}, ...(isJsonObject(userInfo) ? userInfo : {}) };
  return {
    subResource: "",
    requestSubResource: "",
    ...asked,
    __namespace__: namespace ?? "",
    userInfo: { ...who, extra: toCel(who.extra) },
    options: toCel(options),
  };
}

function evaluate(expression: string, variables: Readonly<Record<string, unknown>>): boolean | string {
  const condition = compile(expression);
  if (!condition.ok) return `expression '${expression}' ${condition.problem}`;
  try {
    return condition.evaluate(variables) === true;
  } catch (error) {
    return `expression '${expression}' resulted in error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A reserved word may be asked for in its escaped form as well. The CEL package wants a plain Map, not a class of our own. */
function fieldMap(entries: readonly (readonly [string, unknown])[]): ReadonlyMap<string, unknown> {
  const map = new Map(entries);
  const plain = { get: map.get.bind(map), has: map.has.bind(map) };
  return Object.assign(map, {
    get: (name: string) => plain.get(unescaped(name)),
    has: (name: string) => plain.has(unescaped(name)),
  });
}

function unescaped(name: unknown): string {
  return String(name).replace(/^__([a-z]+)__$/, "$1");
}

/** CEL tells integers from doubles; JSON does not. */
function toCel(value: Json | undefined): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (isJsonList(value)) return value.map(toCel);
  if (!isJsonObject(value)) return value;
  return fieldMap(presentFields(value).map((name) => [name, toCel(value[name])] as const));
}
