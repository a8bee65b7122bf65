// The repository as the tidy tests see it: which files there are, and a source file as a syntax tree with the few
// questions asked of it. It knows nothing of layers or rules.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vitest/node";

export const root = join(import.meta.dirname, "..", "..");

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

export interface Source {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: Node;
}

/** Files that belong to the repository: tracked, or about to be. */
export function repositoryFiles(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  const paths = listed.toString("utf8").split("\0");
  return paths.filter((path) => path !== "" && existsSync(join(root, path))).sort();
}

export function readRepositoryFile(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

export function parseSource(path: string, text: string): Source {
  // Deprecated in favour of vite's own, which is not a dependency of ours; vitest hands on this one.
  // oxlint-disable-next-line typescript/no-deprecated
  const parse = parseAst;
  // The parser answers with plain objects; everything below narrows before it reads a field.
  const program = parse(text, { lang: path.endsWith("x") ? "tsx" : "ts", sourceType: "module" }) as unknown as Node;
  return { path, text, program };
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.startsWith("test/");
}

export function lineOf(source: Source, node: Node): number {
  return source.text.slice(0, node.start).split("\n").length;
}

/** Visits every node with its ancestors, nearest last. */
export function visit(
  node: Node,
  enter: (node: Node, ancestors: readonly Node[]) => void,
  ancestors: readonly Node[] = [],
): void {
  enter(node, ancestors);
  const inside = [...ancestors, node];
  for (const child of children(node)) visit(child, enter, inside);
}

function children(node: Node): readonly Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

export function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string" && "start" in value
  );
}

/** A child node under this field, if there is one. */
export function child(node: Node | undefined, field: string): Node | undefined {
  const value = node?.[field];
  return isNode(value) ? value : undefined;
}

export function statements(source: Source): readonly Node[] {
  const { body } = source.program;
  return Array.isArray(body) ? body.filter(isNode) : [];
}

export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** Static, dynamic and type imports, and re-exports. */
export function importsOf(source: Source): readonly Import[] {
  const found: Import[] = [];
  visit(source.program, (node) => {
    if (!importing.has(node.type)) return;
    const from = child(node, "source");
    if (from === undefined) return;
    // An import whose address is computed cannot be checked, so it is named as it stands and matches no rule.
    const specifier = typeof from["value"] === "string" ? from["value"] : "(computed)";
    found.push({ specifier, line: lineOf(source, node) });
  });
  return found;
}

const importing = new Set([
  "ImportDeclaration",
  "ImportExpression",
  "ExportAllDeclaration",
  "ExportNamedDeclaration",
  "TSImportType",
]);
