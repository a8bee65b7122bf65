// Mistakes in literals that the API server finds before any object is looked at: patterns, durations, timestamps.

import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { patternProblem } from "../pattern.ts";

const patternFunctions = new Set(["matchesRe2", "find", "findAll"]);

export function literalProblem(env: Environment, ast: ASTNode): string | undefined {
  for (const node of nodesOf(ast)) {
    const call = literalCall(node);
    if (call === undefined) continue;
    const problem = patternFunctions.has(call.name)
      ? patternProblem(call.literal)
      : timeProblem(env, call.name, call.literal);
    if (problem !== undefined)
      return `invalid ${call.name === "matchesRe2" ? "matches" : call.name} argument: ${problem}`;
  }
  return undefined;
}

function literalCall(node: ASTNode): { readonly name: string; readonly literal: string } | undefined {
  if (node.op !== "rcall" && node.op !== "call") return undefined;
  const name = node.args[0];
  const values = node.op === "rcall" ? node.args[2] : node.args[1];
  const last = node.op === "call" && name === "matchesRe2" ? values[1] : values[0];
  return last?.op === "value" && typeof last.args === "string" ? { name, literal: last.args } : undefined;
}

function timeProblem(env: Environment, name: string, literal: string): string | undefined {
  if (name !== "duration" && name !== "timestamp") return undefined;
  try {
    env.evaluate(`${name}(${JSON.stringify(literal)})`);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Every node, also those a macro has moved into its own structure. */
function nodesOf(value: unknown, seen = new Set<unknown>()): readonly ASTNode[] {
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  const inner = Object.values(value).flatMap((one) => nodesOf(one, seen));
  return isNode(value) ? [value, ...inner] : inner;
}

function isNode(value: object): value is ASTNode {
  return "op" in value && "args" in value && typeof value.op === "string";
}
