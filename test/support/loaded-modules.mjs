// Preloaded into a process of ours (`node --import`): writes what the process has loaded, and the memory it holds, to the file that
// LOADED_MODULES names, when the process ends. JavaScript, since the types of the oldest Node that we support lack the hooks.

import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { env, memoryUsage } from "node:process";

const modules = new Set();
registerHooks({
  load(url, context, nextLoad) {
    const place = url.startsWith("file:") ? /\/(?:node_modules|src)\/.*$/.exec(url)?.[0].slice(1) : undefined;
    if (place !== undefined) modules.add(place);
    return nextLoad(url, context);
  },
});

process.on("exit", () => {
  const residentMegabytes = Math.round(memoryUsage().rss / 1_000_000);
  writeFileSync(env.LOADED_MODULES ?? "/dev/null", JSON.stringify({ modules: [...modules], residentMegabytes }));
});
