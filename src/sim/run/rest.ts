// When a world has come to rest: for a while nothing was sent but what goes on for ever, and nothing waits for an answer.

import { keepsGoing } from "../checkers/quiet-when-converged.ts";
import type { World } from "./world.ts";

/** What was put off for a moment is done by then, and a call that was tried in vain is tried again. */
const stillMs = 10_000;
/** An answer that takes longer may be one that never comes: its caller will try again. */
const usualAnswerMs = 1_000;

/** True once it has. What reports no changes was looked at again meanwhile: only then is it trusted. */
export function comingToRest(world: World): () => boolean {
  const { scheduler, events, fleet, jobs, options } = world;
  const readsWhenQuiet = new Set(options.jobs.flatMap(({ readsWhenQuiet: reads = [] }) => reads));
  const pauseMs = stillMs + Math.max(0, ...jobs.map(({ looksEveryMs = 0 }) => looksEveryMs));
  let stirredMs = scheduler.nowMs;
  events.on("left", ({ call }) => {
    if (!keepsGoing(call, readsWhenQuiet)) stirredMs = scheduler.nowMs;
  });
  const awaited = (): boolean =>
    fleet
      .processes()
      .some(({ underWay }) => [...underWay].some(({ sentMs }) => sentMs < scheduler.nowMs - usualAnswerMs));
  return () => {
    if (awaited()) stirredMs = scheduler.nowMs;
    return scheduler.nowMs - stirredMs >= pauseMs;
  };
}
