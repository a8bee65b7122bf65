// Prints what fleets of growing size cost, and how that grows. Usage: npm run bench:api-endpoint [-- --sizes 100,1000,3000]

import { spawn } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { type FleetResult, measureFleet, type Progress } from "./fleet.ts";
import { renderFleets } from "./render-fleets.ts";

const { values } = parseArgs({
  options: { sizes: { type: "string", default: "100,1000,3000" }, one: { type: "string" } },
});

if (values.one !== undefined) {
  const clusters = Number(values.one);
  console.log(JSON.stringify(await measureFleet(clusters, everyTwoSeconds(clusters))));
} else {
  const results: FleetResult[] = [];
  for (const size of sizesIn(values.sizes)) results.push(await measureApart(size));
  console.log(renderFleets(results));
}

function sizesIn(list: string): readonly number[] {
  const sizes = list.split(",").map(Number);
  if (sizes.every((size) => Number.isInteger(size) && size > 0)) return sizes;
  console.error(`--sizes ${list}: give whole numbers with commas between them, such as 100,1000,3000.`);
  process.exit(2);
}

/** A process for each size: peak memory is the process's. */
async function measureApart(clusters: number): Promise<FleetResult> {
  const args = [...process.execArgv, "--expose-gc", import.meta.filename, "--one", `${clusters}`];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (child.exitCode !== 0) throw new Error(`the run with ${clusters} clusters failed`);
  return JSON.parse(said) as FleetResult;
}

function everyTwoSeconds(clusters: number): Progress {
  const startedMs = performance.now();
  let saidMs = startedMs;
  return (what) => {
    const nowMs = performance.now();
    if (nowMs - saidMs < 2_000) return;
    saidMs = nowMs;
    console.error(`${clusters} clusters, ${((nowMs - startedMs) / 1_000).toFixed(0)} s: ${what}`);
  };
}
