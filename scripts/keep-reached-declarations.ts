// Part of the build: of the declarations that tsc wrote, keeps those that the types of the library mainstay/topology reach. The others
// describe insides that nobody can import.

import { readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const folder = join(import.meta.dirname, "..", "dist", "declarations");
const reached = reachedFrom(join(folder, "topology.d.ts"));

const written = readdirSync(folder, { recursive: true, withFileTypes: true });
for (const entry of written) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && !reached.has(path)) rmSync(path);
}
// The deepest first: a folder is empty once those in it are gone.
const folders = written.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
for (const path of folders.toSorted((a, b) => b.length - a.length)) if (readdirSync(path).length === 0) rmdirSync(path);

function reachedFrom(start: string): ReadonlySet<string> {
  const found = new Set([start]);
  // A set hands out what is added while it is walked.
  for (const path of found) for (const next of importedBy(path)) found.add(next);
  return found;
}

function importedBy(path: string): readonly string[] {
  const specifiers = [...readFileSync(path, "utf8").matchAll(/(?:from |import\(|import )"(\.[^"]+)\.ts"/g)];
  return specifiers.map(([, specifier = ""]) => resolve(dirname(path), `${specifier}.d.ts`));
}
