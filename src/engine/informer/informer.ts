// Keeps an up-to-date copy of one kind (or a selection of it) and delivers every change to handlers. What is wrong is in its state
// and readiness. See informer-loop.ts for when it lists, list-watch.ts for how, informer-cache.ts for what it delivers.

import {
  formatRef,
  type Kind,
  type KubeObject,
  type ObjectRef,
  refOf,
  resourceName,
} from "../../apis/kube/kube-object.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KubeReader, Selection } from "../../ports/kube.ts";
import type { Log } from "../../ports/log.ts";
import type { Random } from "../../ports/random.ts";
import { sleepUntilAny } from "../round/sleep.ts";
import { type ChangeHandler, InformerCache } from "./informer-cache.ts";
import type { RestartReason } from "./informer-failure.ts";
import { InformerLoop } from "./informer-loop.ts";
import { InformerState, type Readiness } from "./informer-state.ts";
import { type Indexer, InformerStore } from "./informer-store.ts";
import { defaultInformerTimings, type InformerTimings } from "./informer-timings.ts";
import { mayHold, mustHold } from "./may-hold.ts";
import type { Store, StoreState } from "./store.ts";

/** For metrics. Must not throw. */
export interface InformerObserver {
  restarted?(kind: Kind, reason: RestartReason): void;
  handlerThrew?(kind: Kind): void;
}

export interface InformerOptions<T extends KubeObject> {
  readonly kube: KubeReader;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly kind: Kind<T>;
  readonly selection?: Selection;
  /** Served versions that will do, best first. Absent: only the kind's own. */
  readonly versions?: readonly string[];
  readonly keepManagedFields?: boolean;
  /**
   * Lists by a watch that begins with all objects, as long as the server can. Off by default: it spares a server's memory where lists
   * are huge, and was slower for 5,000 Services in most runs of bench/informer.
   */
  readonly streaming?: boolean;
  /** Fewer, larger pages were faster in bench/informer; a page is in memory as a whole. */
  readonly pageSize?: number;
  readonly timings?: Partial<InformerTimings>;
  readonly observer?: InformerObserver;
}

export interface ProgressWait {
  readonly timeoutMs: number;
  /** `listGeneration` as it was when the write was answered. Absent: as it is now. */
  readonly generation?: number;
  readonly signal?: AbortSignal;
}

export class Informer<T extends KubeObject = KubeObject> implements Store<T> {
  readonly kind: Kind<T>;
  readonly #selection: Selection;
  readonly #clock: Clock;
  readonly #store: InformerStore<T>;
  readonly #cache: InformerCache<T>;
  readonly #state: InformerState;
  readonly #loop: InformerLoop<T>;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: InformerOptions<T>) {
    const { kind, clock, observer, selection = {}, keepManagedFields = false } = options;
    const log = options.log.with({ kind: resourceName(kind) });
    const report = (message: string, object: T, data: Readonly<Record<string, unknown>>): void =>
      log.error(message, { object: formatRef(refOf(object)), ...data });
    this.kind = kind;
    this.#selection = selection;
    this.#clock = clock;
    this.#state = new InformerState(kind, log);
    this.#store = new InformerStore((index, object, error) => report("indexer threw", object, { index, error }));
    this.#cache = new InformerCache({
      store: this.#store,
      keepManagedFields,
      onHandlerError: (change, error) => {
        observer?.handlerThrew?.(kind);
        report("handler threw", change.object, { change: change.type, error });
      },
    });
    this.#loop = new InformerLoop({
      ...options,
      log,
      selection,
      versions: options.versions ?? [kind.version],
      streaming: options.streaming ?? false,
      pageSize: options.pageSize ?? 2_000,
      timings: { ...defaultInformerTimings, ...options.timings },
      cache: this.#cache,
      state: this.#state,
      stopSignal: this.#stop.signal,
      onRestart: (reason) => observer?.restarted?.(kind, reason),
    });
  }

  get(ref: ObjectRef): T | undefined {
    return this.#store.get(ref);
  }

  list(): readonly T[] {
    return this.#store.list();
  }

  byIndex(index: string, value: string): readonly T[] {
    return this.#store.byIndex(index, value);
  }

  addIndexer(name: string, indexer: Indexer<T>): void {
    this.#store.addIndexer(name, indexer);
  }

  get state(): StoreState {
    return this.#state.current;
  }

  onStateChange(listener: (state: StoreState) => void): () => void {
    return this.#state.onChange(listener);
  }

  readiness(): Readiness {
    return this.#state.readiness;
  }

  hasSynced(): boolean {
    return this.#cache.hasListed;
  }

  /** The kind was listed once, or the server is known not to serve it or not to let us list it. */
  hasSettled(): boolean {
    return this.hasSynced() || this.state === "not-served" || this.state === "forbidden";
  }

  get lastResourceVersion(): string | undefined {
    return this.#cache.resourceVersion;
  }

  /** Complete lists after the first. */
  get relistCount(): number {
    return Math.max(0, this.#cache.listsCompleted - 1);
  }

  /** False: the selection excludes every object of that name. */
  mayHold(ref: ObjectRef): boolean {
    return mayHold(this.kind, this.#selection, ref);
  }

  /** True: the selection includes every object of that name. */
  mustHold(ref: ObjectRef): boolean {
    return mustHold(this.kind, this.#selection, ref);
  }

  /** The server's history is not the one this store follows: everything is listed again. */
  invalidate(): void {
    this.#loop.invalidate();
  }

  /** Grows with every list that begins. Read it when a write has been answered; see `hasReached`. */
  get listGeneration(): number {
    return this.#cache.listsStarted;
  }

  /** Whether the store is at least as new as a write that was answered with this version in that generation. */
  hasReached(resourceVersion: string, generation: number = this.listGeneration): boolean {
    return this.#cache.hasReached(resourceVersion, generation);
  }

  /** True as soon as `hasReached` holds; false on timeout, abort or stop. */
  async waitForResourceVersion(resourceVersion: string, wait: ProgressWait): Promise<boolean> {
    const { timeoutMs, generation = this.listGeneration, signal } = wait;
    const deadlineMs = this.#clock.monotonicMs() + timeoutMs;
    const ends = signal === undefined ? [this.#stop.signal] : [this.#stop.signal, signal];
    while (!this.hasReached(resourceVersion, generation)) {
      const leftMs = deadlineMs - this.#clock.monotonicMs();
      if (leftMs <= 0 || ends.some(({ aborted }) => aborted)) return false;
      const progress = new AbortController();
      const forget = this.#cache.onProgress(() => progress.abort());
      await sleepUntilAny(this.#clock, leftMs, [...ends, progress.signal]);
      forget();
    }
    return true;
  }

  /** Handlers run one after another, in the order they were added. A new one first gets all present objects as added. */
  addHandler(handler: ChangeHandler<T>): () => void {
    return this.#cache.addHandler(handler);
  }

  /** Starting twice is starting once. */
  start(): void {
    this.#running ??= this.#loop.run();
  }

  /** Closes the watch; no handler is called from here on. Resolves when everything has ended. */
  async stop(): Promise<void> {
    this.#cache.close();
    this.#stop.abort();
    await this.#running;
  }
}
