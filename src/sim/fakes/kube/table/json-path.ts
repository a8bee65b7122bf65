// The JSONPath that Kubernetes lets printer columns and selectable fields use: fields, quoted fields, indexes, slices,
// wildcards, recursive descent and filters that compare one field with a literal.

import type { Json } from "../json.ts";
import { isJsonList, isJsonObject } from "../schema/json-value.ts";

type Literal = string | number | boolean;

export type JsonPathStep =
  | { readonly step: "field"; readonly name: string }
  | { readonly step: "slice"; readonly from: number; readonly to: number | undefined }
  | { readonly step: "wildcard" }
  | { readonly step: "descend" }
  | {
      readonly step: "filter";
      readonly path: readonly JsonPathStep[];
      readonly operator: string;
      readonly value?: Literal;
    };

export class JsonPathSyntaxError extends Error {}

const token =
  /\.\.|\.?\[\s*'([^']*)'\s*\]|\.?\[\s*"([^"]*)"\s*\]|\[\s*\?\((.*?)\)\s*\]|\[\s*(\*)\s*\]|\[\s*(-?\d+)?(:)?(-?\d+)?\s*\]|\.\*|\.?((?:\\.|[^.[\]\\{}'"\s])+)/y;

/** Throws a JsonPathSyntaxError. Braces around the whole path and its leading dot may be left out. */
export function parseJsonPath(text: string): readonly JsonPathStep[] {
  const inner = text
    .trim()
    .replace(/^\{(.*)\}$/s, "$1")
    .trim()
    .replace(/^\$/, "");
  const steps: JsonPathStep[] = [];
  token.lastIndex = 0;
  let at = 0;
  while (at < inner.length) {
    if (inner === ".") break;
    token.lastIndex = at;
    const match = token.exec(inner);
    if (match === null)
      throw new JsonPathSyntaxError(`unexpected ${JSON.stringify(inner.slice(at))} in ${JSON.stringify(text)}`);
    steps.push(stepOf(match, text));
    // After `..` a field stands without a dot of its own.
    at += match[0].length;
  }
  return steps;
}

function stepOf(match: RegExpExecArray, text: string): JsonPathStep {
  const [all, single, double, filter, star, from, colon, to, word] = match;
  if (all === "..") return { step: "descend" };
  if (star !== undefined || all === ".*") return { step: "wildcard" };
  if (filter !== undefined) return parseFilter(filter, text);
  const quoted = single ?? double;
  if (quoted !== undefined) return { step: "field", name: quoted };
  if (word !== undefined) return { step: "field", name: word.replace(/\\(.)/g, "$1") };
  if (from === undefined && colon === undefined)
    throw new JsonPathSyntaxError(`empty brackets in ${JSON.stringify(text)}`);
  const start = Number(from ?? 0);
  if (colon !== undefined) return { step: "slice", from: start, to: to === undefined ? undefined : Number(to) };
  return { step: "slice", from: start, to: start === -1 ? undefined : start + 1 };
}

function parseFilter(filter: string, text: string): JsonPathStep {
  const match = /^\s*@(.*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.*?)\s*)?$/s.exec(filter);
  if (match === null)
    throw new JsonPathSyntaxError(`filter ${JSON.stringify(filter)} in ${JSON.stringify(text)} must begin with @`);
  const [, path = "", operator, literal] = match;
  const steps = parseJsonPath(path);
  if (operator === undefined) return { step: "filter", path: steps, operator: "exists" };
  return { step: "filter", path: steps, operator, value: parseLiteral(literal ?? "", text) };
}

function parseLiteral(literal: string, text: string): Literal {
  const quoted = /^"(.*)"$|^'(.*)'$/s.exec(literal);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? "";
  if (literal === "true" || literal === "false") return literal === "true";
  const number = Number(literal);
  if (literal === "" || Number.isNaN(number))
    throw new JsonPathSyntaxError(`literal ${literal} in ${JSON.stringify(text)} is no string, number or boolean`);
  return number;
}

/** Every value the path leads to, in order; none when a field is absent. */
export function readJsonPath(path: readonly JsonPathStep[], value: Json | undefined): readonly Json[] {
  let found: readonly Json[] = value === undefined ? [] : [value];
  for (const step of path) found = found.flatMap((one) => follow(step, one));
  return found;
}

function follow(step: JsonPathStep, value: Json): readonly Json[] {
  switch (step.step) {
    case "field":
      return isJsonObject(value) ? present(value[step.name]) : [];
    case "slice":
      return isJsonList(value) ? value.slice(step.from, step.to) : [];
    case "wildcard":
      return children(value);
    case "descend":
      return [value, ...children(value).flatMap((child) => follow(step, child))];
    case "filter":
      return children(value).filter((child) => passes(step, child));
  }
}

function passes(filter: Extract<JsonPathStep, { readonly step: "filter" }>, value: Json): boolean {
  const [left] = readJsonPath(filter.path, value);
  if (left === undefined) return false;
  const { operator, value: right } = filter;
  if (operator === "exists" || right === undefined) return true;
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (left === null || typeof left !== typeof right) return false;
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  return operator === ">" ? left > right : left >= right;
}

function children(value: Json): readonly Json[] {
  if (isJsonList(value)) return value;
  return isJsonObject(value) ? Object.values(value).flatMap(present) : [];
}

function present(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}
