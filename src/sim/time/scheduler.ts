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
    heap.push(task);
    let index = heap.length - 1;
    while (index > 0) {
      const parent = (index - 1) >>> 1;
      if (!this.#swapIfBefore(index, parent)) return;
      index = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      const child = right < heap.length && before(heap[right], heap[left]) ? right : left;
      if (child >= heap.length || !this.#swapIfBefore(child, index)) return;
      index = child;
    }
  }

  #swapIfBefore(lower: number, upper: number): boolean {
    const [a, b] = [this.#heap[lower], this.#heap[upper]];
    if (a === undefined || b === undefined || !before(a, b)) return false;
    this.#heap[lower] = b;
    this.#heap[upper] = a;
    return true;
  }
}

function before(a: ScheduledTask | undefined, b: ScheduledTask | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.tie < b.tie);
}
