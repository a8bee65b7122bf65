// What commands load when they are called goes through `whenCalled`, so that it can be loaded at once before time is simulated.

import { child, lineOf, type Source, visit } from "./source.ts";

export function isOfCommandLine(path: string): boolean {
  return /^src\/cli\/|^src\/jobs\/[^/]+\/commands\//.test(path);
}

export function loadedAround(source: Source): readonly string[] {
  const problems: string[] = [];
  visit(source.program, (node, ancestors) => {
    if (node.type !== "ImportExpression") return;
    const callees = ancestors.filter(({ type }) => type === "CallExpression").map((call) => child(call, "callee"));
    if (callees.some((callee) => callee?.["name"] === "whenCalled")) return;
    problems.push(`${source.path}:${lineOf(source, node)}: import() outside of whenCalled`);
  });
  return problems;
}
