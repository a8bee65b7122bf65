// The shape of a source file: its name, its opening comment, its exports.

import { child, lineOf, type Source, statements } from "./source.ts";

const emptyNames = new Set(["utils", "util", "helpers", "helper", "common", "types", "misc", "index", "shared", "lib"]);

/** Tools that read a configuration file insist on a default export. */
const defaultExportWanted = /(^|\/)[a-z-]+\.config\.ts$/;

export function shapeProblems(source: Source): readonly string[] {
  return [...nameProblems(source.path), ...openingProblems(source), ...exportProblems(source)];
}

function nameProblems(path: string): readonly string[] {
  const file = path.split("/").at(-1) ?? "";
  const stem = file.replace(/(\.[a-z]+)*\.tsx?$/, "");
  if (emptyNames.has(stem)) return [`${path}: the name ${stem} says nothing; name the file after its main export`];
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem) ? [] : [`${path}: file names are kebab-case`];
}

function openingProblems({ path, text }: Source): readonly string[] {
  // The names of its tests say what a test file promises.
  if (/\.test\.tsx?$/.test(path)) return [];
  const opening = text.replace(/^#!.*\n/, "");
  return /^(\/\/ ?\S|\/\*)/.test(opening) ? [] : [`${path}: opens without a comment that says what it promises`];
}

function exportProblems(source: Source): readonly string[] {
  const problems: string[] = [];
  const body = statements(source);
  for (const node of body) {
    if (node.type === "ExportDefaultDeclaration" && !defaultExportWanted.test(source.path)) {
      problems.push(`${source.path}:${lineOf(source, node)}: no default exports`);
    }
    if (node.type === "ExportAllDeclaration") problems.push(`${source.path}:${lineOf(source, node)}: no \`export *\``);
  }
  // An entry of the package passes on what lies elsewhere: that is its purpose.
  if (/^src\/[^/]+$/.test(source.path)) return problems;
  const passesOn = (type: string) =>
    type === "ExportNamedDeclaration" || type === "ExportAllDeclaration" || type === "ImportDeclaration";
  const barrel =
    body.length > 0 && body.every((node) => passesOn(node.type) && child(node, "declaration") === undefined);
  if (barrel && body.some((node) => node.type !== "ImportDeclaration"))
    problems.push(`${source.path}: a barrel; import from the files themselves`);
  return problems;
}

/** A port is types only: nothing in it exists at run time. */
export function runtimeInPort(source: Source): readonly string[] {
  const problems: string[] = [];
  for (const node of statements(source)) {
    const declared = child(node, "declaration") ?? node;
    const type = declared.type === "TSInterfaceDeclaration" || declared.type === "TSTypeAliasDeclaration";
    const passedOn = (node["importKind"] ?? node["exportKind"]) === "type";
    if (!type && !passedOn) problems.push(`${source.path}:${lineOf(source, node)}: a port has types only`);
  }
  return problems;
}
