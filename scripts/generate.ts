// Writes the generated files (reference pages and CRD manifests) and removes those that no generator makes any more.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generatedFiles, generatedFolders } from "./generated-files.ts";

const root = join(import.meta.dirname, "..");
const files = await generatedFiles();

for (const [path, text] of files) {
  if (current(path) === text) continue;
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(`wrote ${path}`);
}
for (const folder of generatedFolders) {
  mkdirSync(join(root, folder), { recursive: true });
  for (const name of readdirSync(join(root, folder))) {
    const path = `${folder}/${name}`;
    if (files.has(path)) continue;
    rmSync(join(root, path), { recursive: true });
    console.log(`removed ${path}`);
  }
}

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return undefined;
  }
}
