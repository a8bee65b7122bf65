// In some worlds one thing stays wrong for an hour, after everything else was checked: a kind of action that is always refused, a status
// that is never taken, or a trouble of a job's own. What is sent and written meanwhile is counted (few-tries.ts). Then it ends, and
// everything must become as wanted again, however long the pauses between two tries have become.

import type { PortCall, TurnedAway } from "../network/port-call.ts";
import { between, chance, pick, streamOf } from "../time/derive-seed.ts";
import type { World } from "./world.ts";

/** A stream of its own: worlds without such an hour are what they always were. */
const share = 0.04;
const hourMs = 3_600_000;
/** Two of the longest pauses, and what is left to do afterwards. */
export const convergeAfterHourMs = 1_200_000;

interface LastingFault {
  readonly name: string;
  /** Answers with how it ends. */
  readonly begin: () => () => void;
}

export function hasLastingHour(seed: number): boolean {
  return chance(streamOf(seed, "lasting hour"), share);
}

/** Ends with nothing wrong any more. */
export async function liveLastingHour(world: World, over: () => boolean): Promise<void> {
  const { scheduler, trace, options, jobs } = world;
  const random = streamOf(options.seed, "lasting fault");
  const ofJobs = troublesOfJobs(world);
  const fault = pick(random, ofJobs.length > 0 && chance(random, 0.5) ? ofJobs : refusals(world));
  if (fault === undefined) return;
  trace.write("world", `for an hour: ${fault.name}`);
  world.quiet = false;
  world.lastingSinceMs = scheduler.nowMs;
  const end = fault.begin();
  const endMs = scheduler.nowMs + hourMs;
  for (let acts = between(random, 2, 6); acts > 0 && !over(); acts -= 1) {
    for (const job of jobs) await job.act();
    await scheduler.run(over, scheduler.nowMs + between(random, 1_000, 20_000));
  }
  await scheduler.run(over, endMs);
  end();
  world.lastingSinceMs = undefined;
  trace.write("world", "what was wrong for an hour is over");
}

function troublesOfJobs({ jobs }: World): readonly LastingFault[] {
  return jobs.flatMap(({ lastingTroubles = {} }) =>
    Object.entries(lastingTroubles).map(([name, begin]) => ({ name, begin })),
  );
}

function refusals(world: World): readonly LastingFault[] {
  const actions = Object.entries(world.coverage.actions).flatMap(([kind, times]) => (times > 0 ? kind : []));
  return [
    ...actions.toSorted().map((kind) => refusing(world, `${kind} is refused`, (call) => call.purpose === kind)),
    refusing(world, "every status is invalid", ({ purpose }) => purpose === "status", { how: "invalid" }),
  ];
}

function refusing(
  world: World,
  name: string,
  affects: (call: PortCall) => boolean,
  how: TurnedAway = { how: "status", status: 503 },
): LastingFault {
  const begin = () => {
    world.refusing = (call) => (affects(call) ? how : undefined);
    return () => void (world.refusing = undefined);
  };
  return { name, begin };
}
