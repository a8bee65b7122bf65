// What is wrong with one place of the configuration, in words: its path, its value and what may stand there; for an unknown
// key, the one that was meant.

import type { z } from "zod";
import { nearest } from "../../apis/text/nearest.ts";
import { isNot, isRecord } from "../../apis/text/problem.ts";

type Issue = z.core.$ZodIssue;
type Schema = Readonly<Record<string, unknown>>;

/** `known` is the JSON schema of what may be written, `input` is what was; `place` names the issue's path. */
export function describeIssue(issue: Issue, known: unknown, input: unknown, place: string): readonly string[] {
  const schema = schemaAt(known, issue.path);
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(key, place, schema));
  const at = place === "" ? "" : `${place}: `;
  const value = valueAt(input, issue.path);
  // Rules that a schema cannot state have their own words.
  if (issue.code === "custom" || issue.code === "invalid_format")
    return [`${at}${issue.message}${named(value, issue)}`];
  const allowed = describeSchema(schema);
  return [value === undefined ? `${at}it is not set; write ${allowed}` : `${at}${isNot(value, allowed)}`];
}

export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)];
    return isRecord(at) ? at[String(step)] : undefined;
  }, input);
}

function unknownKey(key: string, place: string, schema: Schema): string {
  const names = Object.keys(fieldsOf(schema, "properties"));
  const meant = nearest(key, names);
  const hint = meant === undefined ? `known are ${names.toSorted().join(", ") || "none"}` : `did you mean ${meant}?`;
  return `${place === "" ? "" : `${place}.`}${key}: not known; ${hint}`;
}

/** The value itself, where it is short and the message does not name it. The configuration holds no secrets. */
function named(value: unknown, { message }: Issue): string {
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain && !message.includes(String(value)) ? `: ${JSON.stringify(value)}` : "";
}

function describeSchema(schema: Schema): string {
  const { type, enum: choices, minLength } = schema;
  if (Array.isArray(choices)) return `one of ${choices.join(", ")}`;
  switch (type) {
    case "integer":
      return `a whole number${rangeOf(schema)}`;
    case "number":
      return `a number${rangeOf(schema)}`;
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return "a mapping";
    default:
      return minLength === undefined ? "text" : "text with something in it";
  }
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const least = typeof minimum === "number" ? ` from ${minimum}` : "";
  const above = typeof exclusiveMinimum === "number" ? ` above ${exclusiveMinimum}` : "";
  const most = typeof maximum === "number" ? `${above === "" ? "" : " and up"} to ${maximum}` : "";
  return `${least}${above}${most}`;
}

function schemaAt(schema: unknown, path: readonly PropertyKey[]): Schema {
  const inner = path.reduce<unknown>((at, step) => {
    if (!isRecord(at)) return undefined;
    return typeof step === "number"
      ? at["items"]
      : (fieldsOf(at, "properties")[String(step)] ?? at["additionalProperties"]);
  }, schema);
  return isRecord(inner) ? inner : {};
}

function fieldsOf(schema: Schema, name: string): Schema {
  const fields = schema[name];
  return isRecord(fields) ? fields : {};
}
