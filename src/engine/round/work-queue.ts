// A queue of keys. A key is in the queue at most once and is never processed twice at the same time. First come, first served, so that
// a key that is added again and again delays no other; a failed key backs off alone. A run that takes long waits for somebody outside: it
// leaves its worker to the next key, so that many that wait for the same delay no other. It knows keys only, no objects.

import type { Clock, Timer } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import { type BackoffRange, backoffMs } from "./backoff.ts";
import { Fifo } from "./fifo.ts";
import { sleep } from "./sleep.ts";

/**
 * Whether a processed key runs again. `done` and `againAfterMs` forget earlier failures; `retry` backs off, as does a processor that throws,
 * and `retryAfterMs` waits so long at the least.
 */
export type Requeue = "done" | "retry" | { readonly againAfterMs: number } | { readonly retryAfterMs: number };

/** For metrics. Must not throw. */
export interface WorkQueueObserver {
  depthChanged?(depth: number): void;
  started?(key: string, queuedMs: number): void;
  finished?(key: string, ranMs: number, next: Requeue): void;
  /** The processor threw, although it should turn every failure into a requeue. */
  threw?(key: string, error: unknown): void;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The signal aborts when a stop has reached its deadline. */
  readonly process: (key: string, signal: AbortSignal) => Promise<Requeue>;
  /** Workers: so many keys begin at once. */
  readonly concurrency?: number;
  readonly backoff?: BackoffRange;
  readonly observer?: WorkQueueObserver;
}

interface Entry {
  place: "idle" | "ready" | "running";
  /** Added while it was running: once more, from the back of the queue. */
  again: boolean;
  readySinceMs: number;
  failures: number;
  delayed: { readonly dueMs: number; readonly timer: Timer } | undefined;
}

const defaultBackoff: BackoffRange = { baseMs: 250, maxMs: 300_000 };
/** Longer than most answers take, so that workers still bound how many keys ask at once. */
const leavesWorkerAfterMs = 1_000;
/** For each worker: a service that is slow for everybody is not asked by everybody at once. */
const mostWithoutWorker = 8;

export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #concurrency: number;
  readonly #entries = new Map<string, Entry>();
  readonly #ready = new Fifo<string>();
  readonly #cutOff = new AbortController();
  #phase: "filling" | "working" | "stopping" = "filling";
  #running = 0;
  /** By runs that have not left theirs. */
  #workersTaken = 0;
  readonly #idleWaiters: ((drained: boolean) => void)[] = [];

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#concurrency = Math.max(1, options.concurrency ?? 1);
  }

  /** Keys that wait for a worker; running and delayed ones are not among them. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Waiting, running, delayed or with failures to remember. */
  keys(): Iterable<string> {
    return this.#entries.keys();
  }

  get running(): number {
    return this.#running;
  }

  /** Until then adds are only collected. */
  start(): void {
    if (this.#phase !== "filling") return;
    this.#phase = "working";
    this.#pump();
  }

  /** As soon as a worker is free. Calls off a delay or a back-off of the same key. */
  add(key: string): void {
    if (this.#phase === "stopping") return;
    const entry = this.#entry(key);
    this.#callOffDelay(entry);
    if (entry.place === "running") entry.again = true;
    else if (entry.place === "idle") this.#enqueue(key, entry);
  }

  /** Of several delays for one key the earliest wins. */
  addAfter(key: string, delayMs: number): void {
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    if (this.#phase === "stopping") return;
    const entry = this.#entry(key);
    if (entry.place === "ready" || entry.again) return;
    const dueMs = this.#options.clock.monotonicMs() + delayMs;
    if (entry.delayed !== undefined && entry.delayed.dueMs <= dueMs) return;
    this.#callOffDelay(entry);
    const timer = this.#options.clock.after(delayMs, () => this.add(key));
    entry.delayed = { dueMs, timer };
  }

  /** Forgets the failures of a key: its next back-off begins small. */
  forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.failures = 0;
    this.#dropIfUnused(key, entry);
  }

  /** Failures in a row, for logs and for the controller's decisions. */
  failuresOf(key: string): number {
    return this.#entries.get(key)?.failures ?? 0;
  }

  /** Starts nothing new and waits for what runs; true when all of it ended within the deadline. */
  async stop({ deadlineMs }: { readonly deadlineMs: number }): Promise<boolean> {
    this.#phase = "stopping";
    for (const entry of this.#entries.values()) this.#callOffDelay(entry);
    this.#ready.clear();
    this.#options.observer?.depthChanged?.(0);
    if (this.#running === 0) return true;
    const waiting = new AbortController();
    const idle = new Promise<boolean>((resolve) => this.#idleWaiters.push(resolve));
    const late = sleep(this.#options.clock, deadlineMs, waiting.signal).then((elapsed) => !elapsed);
    const drained = await Promise.race([idle, late]);
    waiting.abort();
    if (!drained) this.#cutOff.abort();
    return drained;
  }

  #entry(key: string): Entry {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry = { place: "idle", again: false, readySinceMs: 0, failures: 0, delayed: undefined };
    this.#entries.set(key, entry);
    return entry;
  }

  #enqueue(key: string, entry: Entry): void {
    entry.place = "ready";
    entry.readySinceMs = this.#options.clock.monotonicMs();
    this.#ready.push(key);
    this.#options.observer?.depthChanged?.(this.#ready.size);
    this.#pump();
  }

  #pump(): void {
    while (this.#phase === "working" && this.#hasRoom()) {
      const key = this.#ready.shift();
      if (key === undefined) return;
      this.#running += 1;
      this.#workersTaken += 1;
      void this.#work(key, this.#entry(key));
    }
  }

  async #work(key: string, entry: Entry): Promise<void> {
    const { clock, observer } = this.#options;
    // Adders never run a processor on their own stack.
    await Promise.resolve();
    if (this.#phase === "stopping") {
      this.#leaveWorker();
      this.#ended();
      return;
    }
    const startedMs = clock.monotonicMs();
    entry.place = "running";
    observer?.depthChanged?.(this.#ready.size);
    observer?.started?.(key, startedMs - entry.readySinceMs);
    let hasWorker = true;
    const leaveWorker = (): void => {
      if (hasWorker) this.#leaveWorker();
      hasWorker = false;
    };
    const timer = clock.after(leavesWorkerAfterMs, leaveWorker);
    const next = await this.#processSafely(key);
    timer.cancel();
    observer?.finished?.(key, clock.monotonicMs() - startedMs, next);
    this.#requeue(key, entry, next);
    leaveWorker();
    this.#ended();
  }

  #hasRoom(): boolean {
    const hasWorker = this.#workersTaken < this.#concurrency;
    return hasWorker && this.#running < (1 + mostWithoutWorker) * this.#concurrency;
  }

  #leaveWorker(): void {
    this.#workersTaken -= 1;
    this.#pump();
  }

  #ended(): void {
    this.#running -= 1;
    this.#pump();
    if (this.#running > 0) return;
    for (const resolve of this.#idleWaiters.splice(0)) resolve(true);
  }

  async #processSafely(key: string): Promise<Requeue> {
    try {
      return await this.#options.process(key, this.#cutOff.signal);
    } catch (error) {
      this.#options.observer?.threw?.(key, error);
      return "retry";
    }
  }

  #requeue(key: string, entry: Entry, next: Requeue): void {
    const { again } = entry;
    entry.place = "idle";
    entry.again = false;
    const leastMs =
      next === "retry" ? 0 : typeof next === "object" && "retryAfterMs" in next ? next.retryAfterMs : undefined;
    entry.failures = leastMs === undefined ? 0 : entry.failures + 1;
    // The failed run may have caused the add itself, as its own writes come back as events: without a short wait it would spin.
    if (leastMs !== undefined)
      this.addAfter(key, again ? this.#backoffOf(1) : Math.max(leastMs, this.#backoffOf(entry.failures)));
    else if (again) this.add(key);
    else if (typeof next === "object" && "againAfterMs" in next) this.addAfter(key, next.againAfterMs);
    this.#dropIfUnused(key, entry);
  }

  #backoffOf(failures: number): number {
    return backoffMs(this.#options.backoff ?? defaultBackoff, failures, this.#options.random);
  }

  #callOffDelay(entry: Entry): void {
    entry.delayed?.timer.cancel();
    entry.delayed = undefined;
  }

  #dropIfUnused(key: string, entry: Entry): void {
    const unused = entry.place === "idle" && entry.delayed === undefined && entry.failures === 0;
    if (unused) this.#entries.delete(key);
  }
}
