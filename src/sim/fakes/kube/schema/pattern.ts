// Patterns are RE2, as in the API server: no look-around, no back references, linear time.

import { RE2JS } from "re2js";

const compiled = new Map<string, RE2JS>();

export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
  compiled.set(pattern, known);
  return known;
}

/** Somewhere in the text, unless the pattern is anchored. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compilePattern(pattern).matcher(text).find();
}

/** Why the pattern is no RE2 expression, or undefined. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
