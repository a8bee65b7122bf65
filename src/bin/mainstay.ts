#!/usr/bin/env node
// The command `mainstay`: the real terminal, files, clock and clusters for the command line. Wiring only.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { run } from "../cli/run.ts";
import { keepYoungGenerationSmall } from "../drivers/system/small-young-generation.ts";
import { systemClock } from "../drivers/system/system-clock.ts";
import { systemFiles } from "../drivers/system/system-files.ts";
import { systemRandom } from "../drivers/system/system-random.ts";
import { systemTerminal } from "../drivers/system/system-terminal.ts";
import { httpJson } from "./http-json.ts";
import { openStackWhenUsed } from "./openstack-when-used.ts";
import { product } from "./product.ts";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
// A checkout runs the sources, an installed package what was compiled from them.
const called = import.meta.filename.endsWith(".ts")
  ? { command: "./mainstay", folder: fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "") }
  : { command: "npx mainstay", folder: process.cwd() };
const terminal = systemTerminal();
// Timers of the clock port do not keep a process alive; a command under way has to.
const alive = setInterval(() => {}, 60_000);

process.exitCode = await run(process.argv.slice(2), {
  version,
  product,
  terminal,
  files: systemFiles,
  clock: systemClock,
  random: systemRandom,
  // Loaded only when used: most commands need neither a cloud nor a metrics registry nor an API server of their own.
  connect: async (options) => {
    const { connectCluster } = await import("./connect.ts");
    return await connectCluster({ ...options, userAgent: `mainstay/${version}`, interactive: terminal.interactive });
  },
  http: httpJson,
  openStack: openStackWhenUsed(async () => (await import("./openstack.ts")).connectOpenStack(version).openStack),
  runController: async (configuration) => {
    keepYoungGenerationSmall();
    await (await import("./controller.ts")).runController(configuration, version);
  },
  runDemo: async (options) => (await import("./demo.ts")).runDemo(options, terminal, { ...called, version }),
});
clearInterval(alive);
