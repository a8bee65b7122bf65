// Preloaded into a process of ours (`node --import`): writes what the process has loaded, and the memory it holds, to the file that
// LOADED_MODULES names, when the process ends. JavaScript, since the types of the oldest Node that we support lack the hooks.

import { statSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { env, memoryUsage } from "node:process";
import { fileURLToPath } from "node:url";

const modules = new Map();
registerHooks({
  load(url, context, nextLoad) {
    const place = url.startsWith("file:") ? /\/(?:node_modules|src|dist)\/.*$/.exec(url)?.[0].slice(1) : undefined;
    if (place !== undefined) modules.set(place, statSync(fileURLToPath(url)).size);
    return nextLoad(url, context);
  },
});

process.on("exit", () => {
  const residentMegabytes = Math.round(memoryUsage().rss / 1_000_000);
  const bytes = [...modules.values()].reduce((sum, size) => sum + size, 0);
  const loaded = { modules: [...modules.keys()], bytes, residentMegabytes };
  writeFileSync(env.LOADED_MODULES ?? "/dev/null", JSON.stringify(loaded));
});
