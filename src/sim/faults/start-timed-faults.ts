// Starts the timed faults of a world, each in its own window and with its own stream of randomness.

import type { Random } from "../../ports/random.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import type { World } from "../run/world.ts";
import { between, streamOf } from "../time/derive-seed.ts";
import { faultNamed } from "./all-faults.ts";
import type { DrawnFault, Fault, WorldControls } from "./fault.ts";
import { restoringFaults } from "./system-faults.ts";

export function startTimedFaults(world: World): void {
  if (world.options.faults.some(({ name }) => restoringFaults.includes(name)))
    world.storage.keepBackups(() => world.healed);
  for (const drawn of world.options.faults) {
    const timed = faultNamed(drawn.name)?.timed;
    if (timed === undefined) continue;
    const random = streamOf(world.options.seed, `moments ${drawn.name}`);
    repeatFault(world, drawn, timed, controlsOf(world, drawn.name, random));
  }
}

function repeatFault(
  world: World,
  drawn: DrawnFault,
  timed: NonNullable<Fault["timed"]>,
  controls: WorldControls,
): void {
  const { scheduler } = world;
  const [low, high] = timed.everyMs;
  const again = (delayMs: number): void => {
    if (scheduler.nowMs + delayMs >= drawn.toMs) return;
    scheduler.after(delayMs, undefined, () => {
      if (world.healed) return;
      timed.apply(controls);
      again(between(controls.random, low, high));
    });
  };
  again(drawn.fromMs - scheduler.nowMs + between(controls.random, 0, low));
}

function controlsOf(world: World, fault: string, random: Random): WorldControls {
  const { scheduler, trace, api, fleet } = world;
  const onProcess = (process: SimProcess, what: string): void => {
    world.countFault(fault, process.underWay);
    trace.write(process.name, what);
  };
  const onAll = (what: string): void => {
    world.countFault(
      fault,
      fleet.processes().flatMap(({ underWay }) => [...underWay]),
    );
    trace.write("world", what);
  };
  return {
    random,
    processes: () => fleet.processes(),
    leader: () => world.leader(),
    ports: () => ["kube", ...world.jobs.flatMap(({ ports }) => ports)],
    pause: (process, ms) => {
      world.countFault(fault, process.underWay);
      fleet.pause(process, ms);
    },
    kill: (process) => {
      world.countFault(fault, process.underWay);
      fleet.kill(process, fault);
    },
    replace: (process) => {
      world.countFault(fault, process.underWay);
      fleet.replace(process);
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
    restore: (agoMs, revisions) => {
      if (world.storage.restore(agoMs, revisions)) onAll("storage was restored");
    },
    deleteLease: () => {
      onAll("the Lease is deleted");
      void world.lease.delete();
    },
    partDown: () => {
      onAll("a part goes down");
      for (const job of world.jobs) job.partDown?.();
    },
    partSlow: () => {
      onAll("a part becomes slow");
      for (const job of world.jobs) job.partSlow?.(random);
    },
  };
}
