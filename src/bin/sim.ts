#!/usr/bin/env node
// `npm run sim`: one seed with its trace, or many in parallel workers with progress and a sum. Wiring and printing only.

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { addCoverage, emptyCoverage } from "../sim/run/coverage.ts";
import { renderFailure, renderSum, renderTrace } from "../sim/run/render-simulation.ts";
import type { SeedResult } from "../sim/run/run-seed.ts";
import type { SeedRange } from "../sim/run/seed-range.ts";
import { shrink } from "../sim/run/shrink.ts";
import { parseSimArguments, type SimCommand, simUsage } from "../sim/run/sim-arguments.ts";

/** Only where this thread runs a seed itself: to load all of Mainstay takes as long as several seeds, and each worker does so already. */
const runtime = () => import("./sim-runtime.ts");

process.exitCode = await run(parseSimArguments(process.argv.slice(2), process.env));

async function run(command: SimCommand): Promise<number> {
  switch (command.does) {
    case "help":
      console.log(simUsage);
      return 0;
    case "refuse":
      for (const problem of command.problems) console.error(problem);
      console.error("--help shows what can be asked for.");
      return 2;
    case "one":
      return runOne(command);
    case "many":
      return runMany(command.range, command.workers ?? availableParallelism());
  }
}

async function runOne(command: Extract<SimCommand, { does: "one" }>): Promise<number> {
  const { simulate, drawnFaults } = await runtime();
  const { seed, until, lines } = command;
  const drawn = drawnFaults(seed);
  const faults = command.faults ?? drawn;
  // All lines are kept, so that it can be said how many are not shown.
  const keepLines = Number.POSITIVE_INFINITY;
  const result = await simulate(seed, { faults, keepLines, ...(until === undefined ? {} : { until }) });
  const failed = result.violation !== undefined;
  console.log(failed ? renderFailure(result, drawn, lines) : renderTrace(result, drawn, lines));
  const summary = failed
    ? "a promise was broken"
    : until === undefined
      ? "every promise held"
      : "every promise held so far";
  console.log(`seed ${seed}: ${summary}; ${result.steps} steps, trace ${result.hash}`);
  return failed ? 1 : 0;
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
  for (const failure of failures.slice(0, 3)) await printShrunk(failure);
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(
    renderSum({ seeds: done, failed: failures.map(({ seed }) => seed), steps, virtualMs, seconds, coverage }),
  );
  return failures.length === 0 ? 0 : 1;
}

function spread(from: number, count: number, workers: number, take: (result: SeedResult) => void): Promise<unknown> {
  let next = from;
  const url = new URL("./sim-worker.ts", import.meta.url);
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
async function printShrunk(failure: SeedResult): Promise<void> {
  const { simulate } = await runtime();
  const { result, runs } = await shrink(failure, (faults) => simulate(failure.seed, { faults }));
  console.log(renderFailure(result, failure.faults));
  console.log(
    `(${failure.faults.length - result.faults.length} of ${failure.faults.length} faults were not needed, ${runs} runs)\n`,
  );
}
