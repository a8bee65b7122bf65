// Lets the faults of moments strike a world, each in its own window and from its own stream of randomness.

import type { Random } from "../ports/random.ts";
import { between, streamOf } from "./derive-seed.ts";
import { faultNamed } from "./faults/all-faults.ts";
import type { DrawnFault, Fault, FaultHands } from "./faults/fault.ts";
import type { SimProcess } from "./sim-process.ts";
import type { World } from "./world.ts";

/** Backups are made this often; a restore takes the one that is old enough. */
const backupEveryMs = 2_000;
const writesBetweenBackups = 1_000;

export function startFaults(world: World): void {
  const backups = keepBackups(world);
  for (const drawn of world.options.faults) {
    const moment = faultNamed(drawn.name)?.moment;
    if (moment === undefined) continue;
    const random = streamOf(world.options.seed, `moments ${drawn.name}`);
    strikeAgain(world, drawn, moment, handsOf(world, drawn.name, random, backups));
  }
}

function strikeAgain(world: World, drawn: DrawnFault, moment: NonNullable<Fault["moment"]>, hands: FaultHands): void {
  const { scheduler } = world;
  const [low, high] = moment.everyMs;
  const again = (delayMs: number): void => {
    if (scheduler.nowMs + delayMs >= drawn.toMs) return;
    scheduler.after(delayMs, undefined, () => {
      moment.strike(hands);
      again(between(hands.random, low, high));
    });
  };
  again(drawn.fromMs - scheduler.nowMs + between(hands.random, 0, low));
}

type Backups = () => readonly { readonly atMs: number; readonly backup: ReturnType<World["api"]["backup"]> }[];

function keepBackups(world: World): Backups {
  if (!world.options.faults.some(({ name }) => name === "storage-restored")) return () => [];
  const made: { atMs: number; backup: ReturnType<World["api"]["backup"]> }[] = [];
  const make = (): void => {
    if (world.healed || world.view.restoredAtMs() > 0) return;
    made.push({ atMs: world.scheduler.nowMs, backup: world.api.backup() });
    // A restored server that is written to could otherwise reach, within seconds, the very revisions that caches have seen. Then no
    // client can tell that history was replaced; on a real cluster it takes as many writes as were lost.
    world.api.advanceRevision(writesBetweenBackups);
    world.scheduler.after(backupEveryMs, undefined, make);
  };
  make();
  return () => made;
}

function handsOf(world: World, fault: string, random: Random, backups: Backups): FaultHands {
  const { scheduler, trace, api } = world;
  const onProcess = (process: SimProcess, what: string): void => {
    world.struck(fault, process.underWay);
    trace.say(process.name, what);
  };
  const onAll = (what: string): void => {
    world.struck(
      fault,
      world.processes().flatMap(({ underWay }) => [...underWay]),
    );
    trace.say("world", what);
  };
  return {
    random,
    processes: () => world.processes(),
    leader: () => world.leader(),
    ports: () => ["kube", ...world.jobs.flatMap(({ ports }) => ports)],
    pause: (process, ms) => {
      world.struck(fault, process.underWay);
      world.pause(process, ms);
    },
    kill: (process) => {
      world.struck(fault, process.underWay);
      world.kill(process, fault);
    },
    replace: (process) => {
      world.struck(fault, process.underWay);
      world.replace(process);
    },
    cutOff: (process, port, ms) => {
      onProcess(process, `is cut off from ${port} for ${ms} ms`);
      process.cutOffUntilMs.set(port, scheduler.nowMs + ms);
    },
    holdWatches: (process, ms) => {
      onProcess(process, `gets no watch events for ${ms} ms`);
      process.watchesHeldUntilMs = scheduler.nowMs + ms;
    },
    skewClock: (process, ms) => {
      onProcess(process, `shows a wall clock off by ${ms} ms`);
      process.wallSkewMs = ms;
    },
    away: (port, ms) => {
      onAll(`${port} is away for ${ms} ms`);
      world.awayUntilMs.set(port, scheduler.nowMs + ms);
    },
    closeWatches: () => {
      onAll("all watches end");
      api.closeWatches();
    },
    compactHistory: () => {
      onAll("history is compacted");
      api.compactHistory();
    },
    restore: (agoMs) => {
      const old = backups().findLast(({ atMs }) => atMs <= scheduler.nowMs - agoMs);
      // Once: a second restore could come back to revisions of the first.
      if (old === undefined || world.view.restoredAtMs() > 0) return;
      onAll("storage is restored");
      world.restore(old.backup);
    },
    deleteLease: () => {
      onAll("the Lease is deleted");
      void world.deleteLease();
    },
    partDown: () => {
      onAll("a part goes down");
      for (const job of world.jobs) job.partDown?.();
    },
  };
}
