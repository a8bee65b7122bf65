#!/usr/bin/env node
// The command `mainstay`: loads the program, or says in one sentence that this Node is too old for it. Any Node that knows modules (12.20)
// has to be able to read this file, so it imports nothing newer and uses no newer syntax.

import { readFileSync } from "node:fs";
import { nodeTooOld } from "./node-version.ts";

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** As for any other input that cannot be used (src/cli/exit-codes.ts). */
const invalid = 2;
const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Manifest;
const problem = nodeTooOld(process.versions.node, manifest.engines.node);

if (problem === undefined) {
  void import("./command-line.ts").then(({ runCommandLine }) => runCommandLine(manifest.version));
} else {
  console.error(`error: ${problem}`);
  process.exitCode = invalid;
}
