// Time, randomness, files, the terminal and the process are ports. This finds the places that reach around them.

import { child, lineOf, type Node, type Source, visit } from "./source.ts";

/** Layers that must run in virtual time, from one seed, without a process around them. */
export const portsOnly: readonly string[] = ["apis", "core", "ports", "engine", "controllers", "agent", "cli", "sim"];

/** Globals that may not be touched at all. `structuredClone`, `queueMicrotask`, `AbortController`, `TextEncoder` and `URL` are harmless. */
const bannedGlobals = new Set([
  "process",
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate",
  "crypto",
  "randomUUID",
  "fetch",
  "console",
  "globalThis",
  "require",
]);

const bannedMembers = new Set(["Math.random", "AbortSignal.timeout", "Date.now"]);

export function aroundPorts(source: Source): readonly string[] {
  const local = declaredNames(source.program);
  const found: string[] = [];
  visit(source.program, (node, ancestors) => {
    const parent = ancestors.at(-1);
    if (node.type !== "Identifier" || parent === undefined || ancestors.some(isType)) return;
    const name = String(node["name"]);
    if (local.has(name) || !isReference(node, parent)) return;
    const what = offence(name, node, parent);
    if (what !== undefined) found.push(`${source.path}:${lineOf(source, node)}: ${what} goes around the ports`);
  });
  return found;
}

function offence(name: string, node: Node, parent: Node): string | undefined {
  if (bannedGlobals.has(name)) return name;
  const member = parent.type === "MemberExpression" ? memberName(parent) : undefined;
  if (member !== undefined) return bannedMembers.has(`${name}.${member}`) ? `${name}.${member}` : undefined;
  if (name !== "Date") return undefined;
  const args = parent["arguments"];
  const fixed = parent.type === "NewExpression" && Array.isArray(args) && args.length > 0;
  const compared = parent.type === "BinaryExpression" && parent["operator"] === "instanceof";
  return fixed || compared ? undefined : "Date without a time";
}

/** Computed members count too: `Date["now"]`. */
function memberName(parent: Node): string | undefined {
  const property = child(parent, "property");
  const name = property?.["value"] ?? property?.["name"];
  return typeof name === "string" ? name : "(computed)";
}

/** False where the word only names a field: `clock.setTimeout`, `{ process: 1 }`. */
function isReference(node: Node, parent: Node): boolean {
  if (parent["computed"] === true) return true;
  if (parent.type === "MemberExpression") return child(parent, "object") === node;
  if (["Property", "MethodDefinition", "PropertyDefinition", "AccessorProperty"].includes(parent.type)) {
    return child(parent, "key") !== node;
  }
  return parent.type !== "ImportSpecifier" && parent.type !== "ExportSpecifier";
}

function isType(node: Node): boolean {
  return node.type.startsWith("TS") && !typedValues.has(node.type);
}

/** Nodes of TypeScript's that wrap a value. */
const typedValues = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
]);

/** Names that the file declares itself, wherever: a parameter called `process` is nobody's process. */
function declaredNames(program: Node): ReadonlySet<string> {
  const names = new Set<string>();
  visit(program, (node, ancestors) => {
    const parent = ancestors.at(-1);
    if (node.type !== "Identifier" || parent === undefined) return;
    const unpacked = ancestors.at(-2)?.type === "ObjectPattern" && child(parent, "value") === node;
    if (unpacked || declares(node, parent)) names.add(String(node["name"]));
  });
  return names;
}

function declares(node: Node, parent: Node): boolean {
  const params = parent["params"];
  if (Array.isArray(params) && params.includes(node)) return true;
  if (/^(VariableDeclarator|FunctionDeclaration|FunctionExpression|ClassDeclaration)$/.test(parent.type))
    return child(parent, "id") === node;
  if (/^Import(Default|Namespace)?Specifier$/.test(parent.type)) return child(parent, "local") === node;
  return false;
}
