// Strings and regular expressions, as the API server's CEL has them on top of the language.

import { type Environment, EvaluationError } from "@marcbachmann/cel-js";
import { compilePattern, matchesPattern } from "../pattern.ts";
import { registerNamespace } from "./namespace.ts";

export function registerStrings(env: Environment): void {
  env.registerFunction("string.matchesRe2(string): bool", (text: string, pattern: string) =>
    matchesPattern(pattern, text),
  );
  env.registerFunction("matchesRe2(string, string): bool", (text: string, pattern: string) =>
    matchesPattern(pattern, text),
  );
  env.registerFunction(
    "string.find(string): string",
    (text: string, pattern: string) => findAll(text, pattern, 1)[0] ?? "",
  );
  env.registerFunction("string.findAll(string): list<string>", (text: string, pattern: string) =>
    findAll(text, pattern, -1),
  );
  env.registerFunction("string.findAll(string, int): list<string>", (text: string, pattern: string, limit: bigint) =>
    findAll(text, pattern, Number(limit)),
  );
  env.registerFunction("string.charAt(int): string", charAt);
  env.registerFunction("string.replace(string, string): string", (text: string, from: string, to: string) =>
    text.replaceAll(from, () => to),
  );
  env.registerFunction("string.replace(string, string, int): string", replaceSome);
  registerNamespace(env, "strings", "StringsNamespace");
  env.registerFunction("StringsNamespace.quote(string): string", (_: unknown, text: string) => JSON.stringify(text));
}

function findAll(text: string, pattern: string, limit: number): readonly string[] {
  const matcher = compilePattern(pattern).matcher(text);
  const found: string[] = [];
  while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? "");
  return found;
}

function charAt(text: string, index: bigint): string {
  const characters = [...text];
  if (index < 0n || index > BigInt(characters.length)) throw new EvaluationError(`index out of range: ${index}`);
  return characters[Number(index)] ?? "";
}

function replaceSome(text: string, from: string, to: string, limit: bigint): string {
  const parts = text.split(from);
  const count = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  return (
    parts.slice(0, count + 1).join(to) +
    parts
      .slice(count + 1)
      .map((part) => from + part)
      .join("")
  );
}
