// Builds `mainstay` with Node inside, as one file: `node scripts/build-executable.ts FOLDER`. For gateways without Node; it runs on machines
// with the processor and the C library of this one.

import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";

const run = promisify(execFile);

export async function buildExecutable(folder: string): Promise<string> {
  const [main, output, settings] = ["mainstay.mjs", "mainstay", "executable.json"].map((name) => join(folder, name));
  const root = join(import.meta.dirname, "..");
  await build({
    root,
    configFile: join(root, "vite-executable.config.ts"),
    logLevel: "warn",
    build: { outDir: folder },
  });
  const description = { main, mainFormat: "module", output, disableExperimentalSEAWarning: true };
  await writeFile(settings ?? "", JSON.stringify(description));
  await run(process.execPath, ["--build-sea", settings ?? ""]);
  await Promise.all([main, settings].map((file) => rm(file ?? "")));
  return output ?? "";
}

if (process.argv[1] === import.meta.filename)
  console.log(await buildExecutable(resolve(process.argv[2] ?? "dist-executable")));
