#!/usr/bin/env node
// `npm run sim`: one seed with its trace, or many in parallel workers with progress and a sum. Wiring and printing only.

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { addCoverage, emptyCoverage } from "../sim/coverage.ts";
import { parseFaults } from "../sim/fault-text.ts";
import { renderFailure, renderSum } from "../sim/render-simulation.ts";
import { faultsOf, type SeedResult } from "../sim/run-seed.ts";
import { indexedPart, type SeedRange } from "../sim/seed-range.ts";
import { shrink } from "../sim/shrink.ts";
import { simulate } from "./sim-runtime.ts";

const usage = `usage:
  npm run sim -- --seeds 10000 [--from 1] [--workers 2]   many seeds, and what they came to
  npm run sim -- --seed 8412 [--until 311] [--lines 80]   one seed, with its trace
               [--faults 'partition@3200-9000,…' | none]  with these faults instead of the seed's own
As a pod of an Indexed Job (JOB_COMPLETION_INDEX, SIM_PARTS) it takes its part of the seeds.`;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string" },
    from: { type: "string", default: "1" },
    workers: { type: "string", default: String(availableParallelism()) },
    until: { type: "string" },
    lines: { type: "string", default: "80" },
    faults: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const wrong = (["seed", "seeds", "from", "workers", "until", "lines"] as const).filter(
  (name) => values[name] !== undefined && !/^[1-9]\d{0,9}$/.test(values[name]),
);
const hasIndex = process.env["JOB_COMPLETION_INDEX"] !== undefined || process.env["SIM_PARTS"] !== undefined;
if (wrong.length > 0) {
  for (const name of wrong) console.error(`--${name}: ${JSON.stringify(values[name])} is not a whole number above 0`);
  process.exitCode = 2;
} else if (values.help || (values.seed === undefined) === (values.seeds === undefined)) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else if (values.seed !== undefined) {
  process.exitCode = await runOne(Number(values.seed));
} else {
  const whole = { from: Number(values.from), count: Number(values.seeds) };
  const part = hasIndex ? indexedPart(whole, process.env) : whole;
  if (part === undefined)
    console.error("JOB_COMPLETION_INDEX must be a whole number below SIM_PARTS; both must be set");
  process.exitCode = part === undefined ? 2 : await runMany(part, Number(values.workers));
}

async function runOne(seed: number): Promise<number> {
  const faults = values.faults === undefined ? faultsOf(seed) : parseFaults(values.faults);
  if (faults === undefined) {
    console.error(`--faults ${values.faults} cannot be understood`);
    return 2;
  }
  const until = values.until === undefined ? {} : { until: Number(values.until) };
  const result = await simulate(seed, { faults, ...until, keepLines: Math.max(Number(values.lines), 1) });
  if (result.violation !== undefined) console.log(renderFailure(result, faultsOf(seed), Number(values.lines)));
  else console.log(result.lines.join("\n"));
  console.log(`seed ${seed}: ${result.steps} steps, trace ${result.hash}`);
  return result.violation === undefined ? 0 : 1;
}

async function runMany({ from, count }: SeedRange, workers: number): Promise<number> {
  const startedMs = performance.now();
  const coverage = emptyCoverage();
  const failures: SeedResult[] = [];
  let done = 0;
  let steps = 0;
  let virtualMs = 0;
  const take = (result: SeedResult): void => {
    done += 1;
    steps += result.steps;
    virtualMs += result.virtualMs;
    addCoverage(coverage, result.coverage);
    if (result.violation !== undefined) failures.push(result);
    if (done % Math.max(1, Math.floor(count / 20)) === 0) progress(done, count, failures.length, startedMs);
  };
  await spread(from, count, workers, take);
  failures.sort((a, b) => a.seed - b.seed);
  for (const failure of failures.slice(0, 3)) await tell(failure);
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(
    renderSum({ seeds: done, failed: failures.map(({ seed }) => seed), steps, virtualMs, seconds, coverage }),
  );
  return failures.length === 0 ? 0 : 1;
}

function spread(from: number, count: number, workers: number, take: (result: SeedResult) => void): Promise<unknown> {
  let next = from;
  const url = new URL(import.meta.filename.endsWith(".ts") ? "./sim-worker.ts" : "./sim-worker.js", import.meta.url);
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(url);
      const hand = (): void => {
        if (next >= from + count) return void worker.terminate().then(() => resolve());
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        worker.postMessage(next);
        next += 1;
      };
      worker.on("message", (result: SeedResult) => {
        take(result);
        hand();
      });
      worker.on("error", reject);
      hand();
    });
  return Promise.all(Array.from({ length: Math.min(workers, count) }, run));
}

function progress(done: number, count: number, failed: number, startedMs: number): void {
  const rate = done / ((performance.now() - startedMs) / 1_000);
  console.error(`${done} of ${count} seeds, ${failed} failed, ${rate.toFixed(1)} seeds/s`);
}

/** With the fewest faults that it takes. */
async function tell(failure: SeedResult): Promise<void> {
  const { result, runs } = await shrink(failure, (faults) => simulate(failure.seed, { faults }));
  console.log(renderFailure(result, failure.faults));
  console.log(
    `(${failure.faults.length - result.faults.length} of ${failure.faults.length} faults were not needed, ${runs} runs)\n`,
  );
}
