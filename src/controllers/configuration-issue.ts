// What is wrong with one place of the configuration, in words: its path, the problem, and for an unknown key the one that was meant.

import type { z } from "zod";
import { isRecord } from "../apis/problem.ts";
import { nearest } from "../core/nearest.ts";

type Issue = z.core.$ZodIssue;

/** `known` is the JSON schema of what may be written, `input` is what was. */
export function describeIssue(issue: Issue, known: unknown, input: unknown): readonly string[] {
  const at = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys")
    return [`${at === "" ? "the file" : at}: ${issue.message}${offending(issue, input)}`];
  const names = namesAt(known, issue.path);
  return issue.keys.map((key) => {
    const meant = nearest(key, names);
    const hint = meant === undefined ? `known are ${names.toSorted().join(", ") || "none"}` : `did you mean ${meant}?`;
    return `${[...issue.path.map(String), key].join(".")}: not known; ${hint}`;
  });
}

export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)];
    return isRecord(at) ? at[String(step)] : undefined;
  }, input);
}

/** The value itself, where it is short and the message does not name it. The configuration holds no secrets. */
function offending({ path, message }: Issue, input: unknown): string {
  const value = valueAt(input, path);
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain && !message.includes(String(value)) ? `: ${JSON.stringify(value)}` : "";
}

function namesAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  const inner = path.reduce<unknown>((at, step) => propertiesOf(at)[String(step)], schema);
  return Object.keys(propertiesOf(inner));
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  return isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
}
