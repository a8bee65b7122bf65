// The truth about a world, put together for its checkers and jobs.

import type { Clock } from "../../ports/clock.ts";
import type { Storage } from "../faults/storage.ts";
import type { LeaseWatch } from "../processes/lease-watch.ts";
import type { JobFacts } from "../run/sim-job.ts";
import type { Scheduler } from "../time/scheduler.ts";
import type { WorldView } from "./checker.ts";
import type { Mirror } from "./mirror.ts";
import type { SimEvents } from "./sim-events.ts";

export interface WorldParts {
  readonly events: SimEvents;
  readonly scheduler: Scheduler;
  readonly mirror: Mirror;
  readonly lease: LeaseWatch;
  readonly storage: Storage;
  readonly jobs: readonly JobFacts[];
  readonly isQuiet: () => boolean;
  readonly lastingSinceMs: () => number | undefined;
}

export function viewOfWorld(parts: WorldParts): WorldView {
  const { events, scheduler, mirror, lease, storage, jobs, isQuiet, lastingSinceMs } = parts;
  return {
    on: (type, listener) => events.on(type, listener),
    nowMs: () => scheduler.nowMs,
    lease: () => lease.seen(),
    leading: () => lease.leading(),
    objectAt: (resource, key) => mirror.objectAt(resource, key),
    objects: (resource) => mirror.objects(resource),
    restoredAtMs: () => storage.restoredAtMs,
    isQuiet,
    lastingSinceMs,
    writesByContract: new Set(jobs.flatMap(({ writesByContract = [] }) => writesByContract)),
    readsWhenQuiet: new Set(jobs.flatMap(({ readsWhenQuiet = [] }) => readsWhenQuiet)),
  };
}

/** True time, of what neither pauses nor dies. */
export function outsideClock(scheduler: Scheduler, startMs: number): Clock {
  return {
    nowMs: () => startMs + scheduler.nowMs,
    monotonicMs: () => scheduler.nowMs,
    after: (delayMs, callback) => scheduler.after(delayMs, undefined, callback),
  };
}
