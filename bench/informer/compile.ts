// Turns the contenders into JavaScript, as a published package has it.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder that the contenders' scripts are in. */
export function compileContenders(): URL {
  const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  const project = fileURLToPath(new URL("../tsconfig.json", import.meta.url));
  execFileSync(process.execPath, [compiler, "-p", project], { stdio: "inherit" });
  return new URL("../results/js/bench/informer/", import.meta.url);
}
