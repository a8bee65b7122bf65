// Time, randomness, files, the terminal and the process are ports. This finds the places that reach around them.

import { child, lineOf, type Node, type Source, visit } from "./source.ts";

/** Layers that must run in virtual time, from one seed, without a process around them. */
export const portsOnly: readonly string[] = [
  "apis",
  "core",
  "ports",
  "engine",
  "controllers",
  "agent",
  "cli",
  "server",
  "sim",
];

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
  "WebSocket",
  "EventSource",
  "XMLHttpRequest",
  "navigator",
  "localStorage",
  "MessageChannel",
  "BroadcastChannel",
  "Temporal",
  "console",
  // Ways to any of the above.
  "globalThis",
  "global",
  "require",
  "eval",
  "Function",
]);

/** Of these only some members are harmless, so the whole may not be handed on or unpacked: `const { random } = Math`. */
const bannedMembers: Readonly<Record<string, readonly string[]>> = {
  Math: ["random"],
  AbortSignal: ["timeout"],
  Date: ["now"],
  Intl: ["DateTimeFormat"],
};

export function aroundPorts(source: Source): readonly string[] {
  const scopes = scopesByName(source.program);
  const found: string[] = [];
  visit(source.program, (node, ancestors) => {
    const parent = ancestors.at(-1);
    if (node.type !== "Identifier" || parent === undefined || ancestors.some(isType)) return;
    const name = String(node["name"]);
    if (!isReference(node, parent) || ancestors.some((scope) => scopes.get(name)?.has(scope))) return;
    const what = offence(name, parent);
    if (what !== undefined) found.push(`${source.path}:${lineOf(source, node)}: ${what} goes around the ports`);
  });
  return found;
}

function offence(name: string, parent: Node): string | undefined {
  if (bannedGlobals.has(name)) return name;
  const banned = Object.hasOwn(bannedMembers, name) ? bannedMembers[name] : undefined;
  if (banned === undefined) return undefined;
  if (parent.type === "MemberExpression") {
    const member = memberName(parent);
    return member === undefined || banned.includes(member) ? `${name}.${member ?? "(computed)"}` : undefined;
  }
  if (parent.type === "BinaryExpression" && parent["operator"] === "instanceof") return undefined;
  const args = parent["arguments"];
  const ofGivenTime = name === "Date" && parent.type === "NewExpression" && Array.isArray(args) && args.length > 0;
  return ofGivenTime ? undefined : name === "Date" ? "Date without a time" : `${name} as a whole`;
}

/** Computed members count too, `Date["now"]`; undefined where the name is not written out. */
function memberName(parent: Node): string | undefined {
  const property = child(parent, "property");
  const name = parent["computed"] === true ? property?.["value"] : property?.["name"];
  return typeof name === "string" ? name : undefined;
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

/** Name → the functions, blocks or files that declare it: in there a parameter called `process` is nobody's process. */
function scopesByName(program: Node): ReadonlyMap<string, ReadonlySet<Node>> {
  const scopes = new Map<string, Set<Node>>();
  visit(program, (node, ancestors) => {
    if (node.type !== "Identifier") return;
    const declaration = ancestors.findLastIndex((ancestor) => !isPattern(ancestor));
    const parent = ancestors[declaration];
    const inner = ancestors[declaration + 1] ?? node;
    if (parent === undefined || !declares(inner, parent) || isKeyOrDefault(node, ancestors)) return;
    // A function's own name belongs to the place around it, its parameters to itself.
    const around = parent.type === "FunctionDeclaration" && child(parent, "id") === inner;
    const scope = ancestors.slice(0, around ? declaration : declaration + 1).findLast(isScope);
    if (scope === undefined) return;
    const name = String(node["name"]);
    scopes.set(name, (scopes.get(name) ?? new Set()).add(scope));
  });
  return scopes;
}

function isScope({ type }: Node): boolean {
  return /^(Program|BlockStatement|StaticBlock|CatchClause|SwitchStatement|For(In|Of)?Statement)$|Function/.test(type);
}

function isPattern(node: Node): boolean {
  return /^(ObjectPattern|ArrayPattern|RestElement|AssignmentPattern|Property)$/.test(node.type);
}

/** In `{ key: local = fallback }` only `local` is declared. */
function isKeyOrDefault(node: Node, ancestors: readonly Node[]): boolean {
  return [...ancestors.entries()].some(([depth, ancestor]) => {
    const inner = ancestors[depth + 1] ?? node;
    return (
      (ancestor.type === "Property" && child(ancestor, "value") !== inner) ||
      (ancestor.type === "AssignmentPattern" && child(ancestor, "right") === inner)
    );
  });
}

function declares(node: Node, parent: Node): boolean {
  const params = parent["params"];
  if (Array.isArray(params) && params.includes(node)) return true;
  if (/^(VariableDeclarator|FunctionDeclaration|FunctionExpression|ClassDeclaration)$/.test(parent.type))
    return child(parent, "id") === node;
  if (parent.type === "CatchClause") return child(parent, "param") === node;
  if (/^Import(Default|Namespace)?Specifier$/.test(parent.type)) return child(parent, "local") === node;
  return false;
}
