// Lets the faults of moments strike a world, each in its own window and from its own stream of randomness.

import type { Random } from "../../ports/random.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import type { World } from "../run/world.ts";
import { between, streamOf } from "../time/derive-seed.ts";
import { faultNamed } from "./all-faults.ts";
import type { DrawnFault, Fault, FaultHands } from "./fault.ts";
import { restoringFaults } from "./system-faults.ts";

export function startFaults(world: World): void {
  if (world.options.faults.some(({ name }) => restoringFaults.includes(name)))
    world.storage.keepBackups(() => world.healed);
  for (const drawn of world.options.faults) {
    const moment = faultNamed(drawn.name)?.moment;
    if (moment === undefined) continue;
    const random = streamOf(world.options.seed, `moments ${drawn.name}`);
    strikeAgain(world, drawn, moment, handsOf(world, drawn.name, random));
  }
}

function strikeAgain(world: World, drawn: DrawnFault, moment: NonNullable<Fault["moment"]>, hands: FaultHands): void {
  const { scheduler } = world;
  const [low, high] = moment.everyMs;
  const again = (delayMs: number): void => {
    if (scheduler.nowMs + delayMs >= drawn.toMs) return;
    scheduler.after(delayMs, undefined, () => {
      if (world.healed) return;
      moment.strike(hands);
      again(between(hands.random, low, high));
    });
  };
  again(drawn.fromMs - scheduler.nowMs + between(hands.random, 0, low));
}

function handsOf(world: World, fault: string, random: Random): FaultHands {
  const { scheduler, trace, api, fleet } = world;
  const onProcess = (process: SimProcess, what: string): void => {
    world.struck(fault, process.underWay);
    trace.say(process.name, what);
  };
  const onAll = (what: string): void => {
    world.struck(
      fault,
      fleet.processes().flatMap(({ underWay }) => [...underWay]),
    );
    trace.say("world", what);
  };
  return {
    random,
    processes: () => fleet.processes(),
    leader: () => world.leader(),
    ports: () => ["kube", ...world.jobs.flatMap(({ ports }) => ports)],
    pause: (process, ms) => {
      world.struck(fault, process.underWay);
      fleet.pause(process, ms);
    },
    kill: (process) => {
      world.struck(fault, process.underWay);
      fleet.kill(process, fault);
    },
    replace: (process) => {
      world.struck(fault, process.underWay);
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
  };
}
