// One process of the simulated system. It can be stopped and continued, cut off, and killed: a dead process receives nothing, its promises
// never settle, and nothing that it still tries has any effect.

import type { Clock, Timer } from "../../ports/clock.ts";
import type { Actor, PortCall } from "../network/port-call.ts";
import type { Owner, Scheduler } from "../time/scheduler.ts";

export interface SimProcessOptions {
  readonly name: string;
  readonly identity: string;
  readonly version: "old" | "new";
  readonly scheduler: Scheduler;
  readonly startMs: number;
  /** How fast its clock runs; 1 is true time. */
  readonly rate: number;
}

export class SimProcess implements Owner {
  readonly name: string;
  readonly identity: string;
  readonly version: "old" | "new";
  readonly clock: Clock;
  alive = true;
  paused = false;
  wallSkewMs = 0;
  /** Systems that it cannot reach, until when. */
  readonly cutOffUntilMs = new Map<string, number>();
  /** Its watches deliver nothing before this time. */
  watchesHeldUntilMs = 0;
  readonly underWay = new Set<PortCall>();
  /** What a write is for, by `METHOD target`. */
  readonly purposes = new Map<string, string>();
  /** On whose behalf, in the same way. */
  readonly actors = new Map<string, Actor>();
  /** The round that a signal ends: whatever a port is asked with it belongs to that round. */
  readonly rounds = new WeakMap<AbortSignal, Actor>();
  readonly #scheduler: Scheduler;
  readonly #onDeath: (() => void)[] = [];
  readonly never = new Promise<never>(() => {});

  constructor({ name, identity, version, scheduler, startMs, rate }: SimProcessOptions) {
    this.name = name;
    this.identity = identity;
    this.version = version;
    this.#scheduler = scheduler;
    this.clock = {
      nowMs: () => startMs + scheduler.nowMs + this.wallSkewMs,
      monotonicMs: () => 1_000_000 + scheduler.nowMs * rate,
      after: (delayMs, callback) => this.after(delayMs / rate, callback),
    };
  }

  after(delayMs: number, run: () => void): Timer {
    return this.#scheduler.after(delayMs, this, run);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    this.#scheduler.resumed(this);
  }

  kill(): void {
    if (!this.alive) return;
    this.alive = false;
    for (const closed of this.#onDeath.splice(0)) closed();
  }

  /** The other ends of its connections notice. */
  onDeath(listener: () => void): void {
    this.#onDeath.push(listener);
  }

  isCutOffFrom(port: string): boolean {
    return (this.cutOffUntilMs.get(port) ?? 0) > this.#scheduler.nowMs;
  }
}
