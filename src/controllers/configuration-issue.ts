// What is wrong with one place of the configuration, in words: its path, the problem, and for an unknown key the one that was meant.

import type { z } from "zod";
import { isRecord } from "../apis/problem.ts";
import { nearest } from "../core/nearest.ts";

type Issue = z.core.$ZodIssue;

/** `known` is the JSON schema of what may be written. */
export function describeIssue(issue: Issue, known: unknown): readonly string[] {
  const at = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return [`${at === "" ? "the file" : at}: ${issue.message}`];
  const names = namesAt(known, issue.path);
  return issue.keys.map((key) => {
    const meant = nearest(key, names);
    const hint = meant === undefined ? `known are ${names.toSorted().join(", ") || "none"}` : `did you mean ${meant}?`;
    return `${[...issue.path.map(String), key].join(".")}: not known; ${hint}`;
  });
}

function namesAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  const inner = path.reduce<unknown>((at, step) => propertiesOf(at)[String(step)], schema);
  return Object.keys(propertiesOf(inner));
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  return isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
}
