// What happens next, in virtual time that jumps: the earliest event, and among equals the one that the seed prefers. Promise jobs
// come to rest between two events. Events of a stopped process wait for it; those of a dead one never happen.

import type { Timer } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";

/** Whose event it is. Without an owner it is the outside world's, which neither pauses nor dies. */
export interface Owner {
  readonly alive: boolean;
  readonly paused: boolean;
}

interface ScheduledTask {
  dueMs: number;
  tie: number;
  readonly owner: Owner | undefined;
  run: (() => void) | undefined;
}

export interface SchedulerOptions {
  readonly random: Random;
  /** Lets every promise job run to its end. */
  readonly settle: () => Promise<void>;
  readonly afterStep: () => void;
}

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #heap: ScheduledTask[] = [];
  #held: ScheduledTask[] = [];
  nowMs = 0;
  step = 0;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  after(delayMs: number, owner: Owner | undefined, run: () => void): Timer {
    const tie = this.#options.random.next();
    const task: ScheduledTask = { dueMs: this.nowMs + Math.max(0, Math.ceil(delayMs)), tie, owner, run };
    this.#push(task);
    return {
      cancel: () => {
        task.run = undefined;
      },
    };
  }

  /** Runs on until `done`, which is asked after every step, or until that time. True: done. */
  async run(done: () => boolean, endMs: number): Promise<boolean> {
    await this.#options.settle();
    while (!done()) {
      const next = this.#heap[0];
      if (next === undefined || next.dueMs > endMs) {
        this.nowMs = Math.max(this.nowMs, endMs);
        return false;
      }
      this.#pop();
      await this.#happen(next);
    }
    return true;
  }

  /** What fell due while a process was stopped happens now, in whatever order. */
  resumed(owner: Owner): void {
    const waiting = this.#held.filter((task) => task.owner === owner);
    this.#held = this.#held.filter((task) => task.owner !== owner);
    for (const task of waiting) {
      task.dueMs = this.nowMs;
      task.tie = this.#options.random.next();
      this.#push(task);
    }
  }

  async #happen(task: ScheduledTask): Promise<void> {
    const { owner, run } = task;
    if (run === undefined || owner?.alive === false) return;
    if (owner?.paused === true) {
      this.#held.push(task);
      return;
    }
    this.nowMs = Math.max(this.nowMs, task.dueMs);
    this.step += 1;
    task.run = undefined;
    run();
    await this.#options.settle();
    this.#options.afterStep();
  }

  #push(task: ScheduledTask): void {
    const heap = this.#heap;
    let hole = heap.length;
    heap.push(task);
    while (hole > 0) {
      const above = (hole - 1) >>> 1;
      const parent = heap[above];
      if (parent === undefined || !before(task, parent)) break;
      heap[hole] = parent;
      hole = above;
    }
    heap[hole] = task;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let hole = 0;
    for (;;) {
      let below = 2 * hole + 1;
      let child = heap[below];
      const other = heap[below + 1];
      if (child === undefined) break;
      if (other !== undefined && before(other, child)) {
        below += 1;
        child = other;
      }
      if (!before(child, last)) break;
      heap[hole] = child;
      hole = below;
    }
    heap[hole] = last;
  }
}

function before(a: ScheduledTask, b: ScheduledTask): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.tie < b.tie);
}
