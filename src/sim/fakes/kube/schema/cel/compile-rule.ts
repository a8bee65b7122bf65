// One expression, compiled against the types of its place in a schema. What cannot be compiled is said so, never skipped.

import type { Environment } from "@marcbachmann/cel-js";
import { literalProblem } from "./check-literals.ts";
import { adaptSource, mentions } from "./source.ts";

export type Evaluate = (variables: Readonly<Record<string, unknown>>) => unknown;

export type Compiled =
  | { readonly ok: true; readonly evaluate: Evaluate }
  | { readonly ok: false; readonly problem: string };

/** Known to the CEL package, unknown to the API server. */
const unknownToServer = ["cel", "google", "json", "hex", "base64", "at"];

export function compileExpression(env: Environment, source: string, wanted: "bool" | "string"): Compiled {
  const unknownName = unknownToServer.find((name) => mentions(source, name));
  if (unknownName !== undefined) return failed(`undeclared reference to '${unknownName}'`);
  try {
    const parsed = env.parse(adaptSource(source));
    const checked = parsed.check();
    if (!checked.valid) return failed(firstLine(checked.error));
    if (checked.type !== wanted) return { ok: false, problem: `cel expression must evaluate to a ${wanted}` };
    const literal = literalProblem(env, parsed.ast);
    return literal === undefined
      ? { ok: true, evaluate: (variables): unknown => parsed(variables) as unknown }
      : failed(literal);
  } catch (error) {
    return failed(firstLine(error));
  }
}

function failed(problem: string): Compiled {
  return { ok: false, problem: `compilation failed: ${problem}` };
}

export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n")[0] ?? text;
}
