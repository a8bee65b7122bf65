// One seed from beginning to end: a world with people and faults; then faults end, and everything must become as wanted within a bound of
// virtual time; then nothing may happen any more. The same seed always gives the same run, to the last character of its trace.

import type { Product } from "../../cli/product.ts";
import { allCheckers } from "../checkers/all-checkers.ts";
import { searchForSecrets } from "../checkers/search-for-secrets.ts";
import { drawFaults } from "../faults/all-faults.ts";
import type { DrawnFault } from "../faults/fault.ts";
import { startTimedFaults } from "../faults/start-timed-faults.ts";
import type { KubeOver, WorldOverrides } from "../processes/start-manager.ts";
import { between, chance, streamOf } from "../time/derive-seed.ts";
import type { Coverage } from "./coverage.ts";
import { convergeAfterHourMs, hasLastingHour, liveLastingHour } from "./lasting-hour.ts";
import { comingToRest } from "./rest.ts";
import type { SimJob } from "./sim-job.ts";
import { type Violation, World } from "./world.ts";

export interface RunOptions {
  readonly seed: number;
  readonly kubeOver: KubeOver;
  readonly settle: () => Promise<void>;
  /** All of Mainstay, as people run it: its metrics and its commands. */
  readonly product: Product;
  readonly jobs: readonly SimJob[];
  readonly overrides?: WorldOverrides;
  /** Instead of those that the seed draws: for the shrinker. */
  readonly faults?: readonly DrawnFault[];
  /** Stops after this step. */
  readonly until?: number;
  readonly keepLines?: number;
}

export interface SeedResult {
  readonly seed: number;
  readonly steps: number;
  readonly virtualMs: number;
  readonly hash: string;
  readonly faults: readonly DrawnFault[];
  readonly coverage: Coverage;
  readonly violation: Violation | undefined;
  readonly lines: readonly string[];
}

/** Enough for the longest back-off that a minute of failures leads to, and for a lease to change hands. */
const convergeMs = 240_000;
/** After the last change, at the longest, until what was under way has come to rest. */
const restMs = 60_000;
const quietMs = 15_000;

export function faultsOf(seed: number, jobs: readonly SimJob[]): readonly DrawnFault[] {
  const calmMs = calmBeginningMs(seed, jobs);
  const drawn = drawFaults(seed, faultsEndMs(seed, jobs) - calmMs);
  return drawn.map((fault) => ({ ...fault, fromMs: fault.fromMs + calmMs, toMs: fault.toMs + calmMs }));
}

function faultsEndMs(seed: number, jobs: readonly SimJob[]): number {
  return calmBeginningMs(seed, jobs) + between(streamOf(seed, "length"), 15_000, 45_000);
}

/** What takes many steps to build would never be there with faults from the beginning: many such worlds have something to lose first. */
function calmBeginningMs(seed: number, jobs: readonly SimJob[]): number {
  const random = streamOf(seed, "calm");
  const lasting = jobs.flatMap(({ calmBeginning }) =>
    calmBeginning !== undefined && chance(random, calmBeginning.share) ? between(random, ...calmBeginning.lastsMs) : [],
  );
  return Math.max(0, ...lasting);
}

export async function runSeed(options: RunOptions): Promise<SeedResult> {
  const { seed, jobs, until = Number.POSITIVE_INFINITY } = options;
  const faults = options.faults ?? faultsOf(seed, jobs);
  const world = new World({ ...options, faults, checkers: allCheckers });
  const over = (): boolean => world.violation !== undefined || world.scheduler.step >= until;
  try {
    await live(world, over);
  } catch (error) {
    world.break("simulation", error instanceof Error ? (error.stack ?? error.message) : "threw something strange");
  }
  world.api.close();
  const { scheduler, trace, coverage, violation } = world;
  const { hash, lines } = trace;
  return { seed, steps: scheduler.step, virtualMs: scheduler.nowMs, hash, faults, coverage, violation, lines };
}

async function live(world: World, over: () => boolean): Promise<void> {
  const { scheduler, options, jobs } = world;
  const endMs = faultsEndMs(options.seed, options.jobs);
  for (const job of jobs) await job.prepare();
  // Mostly there was a manager before; a Lease that nobody ever held is waited for first.
  if (chance(streamOf(options.seed, "lease"), 0.8)) await world.lease.leave();
  await begin(world, endMs);
  startTimedFaults(world);
  await scheduler.run(over, endMs);
  if (over()) return;
  heal(world);
  if (!(await become(world, over, "missingBesidesPart"))) return;
  for (const job of jobs) job.partUp?.();
  if (!(await become(world, over, "missing"))) return;
  if (!(await rest(world, over))) return;
  world.trace.write("world", "nothing is left to do");
  world.quiet = true;
  await scheduler.run(over, scheduler.nowMs + quietMs);
  if (!over() && hasLastingHour(options.seed)) await troubled(world, over);
  // To read everything takes as long as a small world.
  if (!over() && options.seed % 10 === 3) await searchForSecrets(world);
}

/** Caches that nothing but a full list can mend are waited for as well. */
async function rest(world: World, over: () => boolean): Promise<boolean> {
  const { scheduler, storage } = world;
  const isAtRest = comingToRest(world);
  const done = (): boolean => over() || (scheduler.nowMs >= storage.settledAtMs && isAtRest());
  await scheduler.run(done, Math.max(scheduler.nowMs, storage.settledAtMs) + restMs);
  return !over();
}

async function troubled(world: World, over: () => boolean): Promise<void> {
  await liveLastingHour(world, over);
  insistUntilQuiet(world);
  if (!over() && (await become(world, over, "missing", convergeAfterHourMs))) world.quiet = true;
}

/** Managers come one after the other; people act until faults end. */
async function begin(world: World, endMs: number): Promise<void> {
  const { scheduler, jobs, options } = world;
  const random = streamOf(options.seed, "beginning");
  const managers = between(random, 1, 3);
  for (let i = 0; i < managers; i += 1) {
    const version = chance(random, 0.5) ? "old" : "new";
    scheduler.after(i === 0 ? 0 : between(random, 0, 10_000), undefined, () => world.fleet.start(version));
  }
  // The update reaches the old ones in the middle of everything.
  scheduler.after(between(random, 4_000, Math.floor(endMs / 2)), undefined, () => {
    for (const process of world.fleet.processes()) if (process.version === "old") world.fleet.replace(process);
  });
  for (const job of jobs) await job.act();
  const actLater = (): void => {
    scheduler.after(between(random, 300, 4_000), undefined, () => {
      if (scheduler.nowMs >= endMs || world.healed) return;
      for (const job of jobs) void job.act().catch((error: unknown) => world.break("simulation", String(error)));
      actLater();
    });
  };
  actLater();
}

function heal(world: World): void {
  const { trace } = world;
  trace.write("world", "faults end");
  world.healed = true;
  world.awayUntilMs.clear();
  for (const process of world.fleet.processes()) {
    process.resume();
    process.cutOffUntilMs.clear();
    process.watchesHeldUntilMs = 0;
    if (process.version === "old") world.fleet.replace(process);
  }
  insistUntilQuiet(world);
}

/** People look again until what they want is there: an object that is on its way out cannot be wanted back at once. */
function insistUntilQuiet(world: World): void {
  if (world.quiet) return;
  for (const job of world.jobs) void job.insist().catch((error: unknown) => world.break("simulation", String(error)));
  world.scheduler.after(2_000, undefined, () => insistUntilQuiet(world));
}

async function become(
  world: World,
  over: () => boolean,
  what: "missing" | "missingBesidesPart",
  withinMs = convergeMs,
): Promise<boolean> {
  const { scheduler, jobs } = world;
  const lacking = (): string | undefined => {
    for (const job of jobs) {
      const missing = job[what]?.();
      if (missing !== undefined) return missing;
    }
    return undefined;
  };
  let nextLookMs = 0;
  const done = (): boolean => {
    if (over()) return true;
    if (scheduler.nowMs < nextLookMs) return false;
    nextLookMs = scheduler.nowMs + 250;
    return lacking() === undefined && (what !== "missing" || world.onTheWay.size === 0);
  };
  const reached = await scheduler.run(done, scheduler.nowMs + withinMs);
  if (!reached) world.break("converges", `${lacking() ?? "late"}, ${withinMs / 1_000} s after faults ended`);
  return !over();
}
