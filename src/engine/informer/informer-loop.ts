// Keeps a cache up to date until it is stopped: decides when to list, when to resume, what a failure means and how long to wait.
// It never gives up and never throws; what is wrong is in the state.

import { type Kind, type KubeObject, resourceName } from "../../apis/kube/kube-object.ts";
import { isKubeError } from "../../core/kube-error.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { KubeReader, Selection } from "../../ports/kube.ts";
import type { Log } from "../../ports/log.ts";
import type { Random } from "../../ports/random.ts";
import { backoffMs } from "../round/backoff.ts";
import { sleepUntilAny } from "../round/sleep.ts";
import { Watchdog } from "../round/watchdog.ts";
import { definitionChange } from "./definition-change.ts";
import type { InformerCache } from "./informer-cache.ts";
import { needsList, type RestartReason, refusesStreaming, restartReasonOf, stateAfter } from "./informer-failure.ts";
import type { InformerState } from "./informer-state.ts";
import type { InformerTimings } from "./informer-timings.ts";
import { type ListWatch, pagedListThenWatch, resumeWatch, streamingListThenWatch } from "./list-watch.ts";
import { explainMissingKind, type MissingKind } from "./missing-kind.ts";

export interface InformerLoopOptions<T extends KubeObject> {
  readonly kube: KubeReader;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly kind: Kind<T>;
  readonly selection: Selection;
  readonly versions: readonly string[];
  readonly streaming: boolean;
  readonly pageSize: number;
  readonly timings: InformerTimings;
  readonly cache: InformerCache<T>;
  readonly state: InformerState;
  readonly stopSignal: AbortSignal;
  readonly onRestart: (reason: RestartReason) => void;
}

interface Outcome {
  readonly reason: RestartReason;
  readonly error?: unknown;
}

export class InformerLoop<T extends KubeObject> {
  readonly #options: InformerLoopOptions<T>;
  #wake = new AbortController();
  /** Ends with the wait it belongs to. */
  #waiting = new AbortController();
  #definitionsWatchable = true;
  #streaming: boolean;
  #pageSize: number | undefined;
  #version = 0;
  #versionsTried = 0;
  #mustList = true;
  #distrust = false;
  #invalidated = false;
  #invalidatedMs: number | undefined;
  #watchdog: Watchdog | undefined;
  #failures = 0;
  #lastListMs = 0;
  #health: Timer | undefined;

  constructor(options: InformerLoopOptions<T>) {
    this.#options = options;
    this.#streaming = options.streaming;
    this.#pageSize = options.pageSize;
  }

  async run(): Promise<void> {
    const { stopSignal, onRestart, log, clock } = this.#options;
    while (!stopSignal.aborted) {
      this.#wake = new AbortController();
      this.#waiting = new AbortController();
      const outcome = await this.#attempt();
      if (stopSignal.aborted) return;
      onRestart(outcome.reason);
      log.debug("watch restarts", { reason: outcome.reason });
      const delayMs = outcome.reason === "not-served" ? await this.#afterNotServed() : this.#afterFailure(outcome);
      await sleepUntilAny(clock, delayMs, [stopSignal, this.#wake.signal]);
      this.#waiting.abort();
    }
  }

  /** The server's history is not the one the cache follows: everything is listed again, whatever resource versions say. */
  invalidate(): void {
    const { cache, clock, timings } = this.#options;
    const nowMs = clock.monotonicMs();
    const again = this.#invalidatedMs !== undefined && nowMs - this.#invalidatedMs < timings.invalidatePauseMs;
    if (!cache.hasListed || (this.#mustList && this.#distrust) || again) return;
    this.#invalidatedMs = nowMs;
    cache.invalidate();
    this.#mustList = true;
    this.#distrust = true;
    this.#invalidated = true;
    this.#watchdog?.end();
  }

  async #attempt(): Promise<Outcome> {
    const { clock, cache, timings, stopSignal } = this.#options;
    const watchdog = new Watchdog({ clock, parent: stopSignal, silenceMs: timings.listSilenceMs });
    this.#watchdog = watchdog;
    this.#invalidated = false;
    const listsBefore = cache.listsStarted;
    let outcome: Outcome = { reason: "ended" };
    try {
      await this.#listOrResume(this.#session(watchdog));
    } catch (error) {
      outcome = { reason: restartReasonOf(error), error };
    } finally {
      watchdog.stop();
      this.#health?.cancel();
    }
    if (watchdog.tripped) outcome = { reason: "idle" };
    if (this.#invalidated) outcome = { reason: "history-replaced" };
    const brokeWhileListing = cache.listsStarted > listsBefore && this.#mustList;
    if (brokeWhileListing) this.#listDifferently(outcome.reason);
    if (needsList(outcome.reason)) this.#mustList = true;
    if (outcome.reason === "history-replaced") {
      this.#distrust = true;
      // The list may come later: until then nobody may take the contents for the server's.
      cache.invalidate();
    }
    return outcome;
  }

  #listOrResume(session: ListWatch<T>): Promise<void> {
    const { clock, timings } = this.#options;
    if (clock.monotonicMs() - this.#lastListMs > timings.relistAfterMs) {
      this.#mustList = true;
      this.#distrust = true;
    }
    if (!this.#mustList) return resumeWatch(session);
    return this.#streaming
      ? streamingListThenWatch(session, this.#distrust)
      : pagedListThenWatch(session, this.#distrust);
  }

  /** Streaming, then pages, then all at once: for old servers, and for ones whose history is shorter than our paging. */
  #listDifferently(reason: RestartReason): void {
    if (this.#streaming) this.#streaming = !refusesStreaming(reason);
    else if (reason === "expired") this.#pageSize = undefined;
  }

  #session(watchdog: Watchdog): ListWatch<T> {
    const { kube, kind, selection, cache, timings, random, state } = this.#options;
    return {
      kube,
      kind: { ...kind, version: this.#versions[this.#version] ?? kind.version },
      selection,
      cache,
      timings,
      pageSize: this.#pageSize,
      watchdog,
      watchSeconds: Math.round((timings.watchLifetimeMs * (1 + random.next())) / 1_000),
      onListed: () => this.#listed(),
      // A watch that does not open fails within its deadline; one that opened and is silent belongs to a kind that does not change.
      onWatching: () => this.#aliveAfter(timings.callDeadlineMs),
      onOpen: () => {
        state.synced();
        this.#aliveAfter(timings.healthyAfterMs);
      },
      onEvent: () => this.#alive(),
    };
  }

  get #versions(): readonly string[] {
    return this.#options.versions;
  }

  #listed(): void {
    this.#mustList = false;
    this.#distrust = false;
    this.#versionsTried = 0;
    this.#lastListMs = this.#options.clock.monotonicMs();
    this.#options.state.synced();
  }

  #aliveAfter(delayMs: number): void {
    this.#health?.cancel();
    this.#health = this.#options.clock.after(delayMs, () => this.#alive());
  }

  /** Failures are counted until a watch works: a list that succeeds before a watch that fails does not reset them. */
  #alive(): void {
    this.#failures = 0;
    this.#options.state.synced();
  }

  #afterFailure({ reason, error }: Outcome): number {
    const { cache, kind, state, timings, log, random } = this.#options;
    this.#failures += 1;
    const next = stateAfter(reason);
    // A single broken connection is not reported; the second failure in a row is.
    const certain = next === "forbidden" || !cache.hasListed || this.#failures > 1;
    if (next !== undefined && certain) state.failed(next, describe(kind, error));
    if (reason === "internal-error") log.error("informer failed", { error });
    const askedMs = isKubeError(error) ? (error.retryAfterMs ?? 0) : 0;
    const ownMs = backoffMs(next === "forbidden" ? timings.missingBackoff : timings.backoff, this.#failures, random);
    return Math.max(ownMs, Math.min(askedMs, timings.maxRetryAfterMs));
  }

  async #afterNotServed(): Promise<number> {
    const { kube, kind, cache, state, timings, random, stopSignal: signal } = this.#options;
    this.#version = (this.#version + 1) % this.#versions.length;
    this.#versionsTried += 1;
    if (this.#versionsTried < this.#versions.length) return 0;
    this.#version = 0;
    this.#versionsTried = 0;
    this.#failures += 1;
    const call = { signal, deadlineMs: timings.callDeadlineMs };
    const missing = await explainMissingKind(kube, kind, this.#versions, call);
    if (signal.aborted) return 0;
    state.failed("not-served", missing.message);
    if (missing.objectsAreGone) cache.clear();
    const delayMs = backoffMs(timings.missingBackoff, this.#failures, random);
    void this.#wakeWhenDefined(missing, delayMs, this.#waiting.signal);
    return delayMs;
  }

  /** The back-off begins small again: a server takes a moment from accepting a definition to serving the kind. */
  async #wakeWhenDefined({ definition }: MissingKind, delayMs: number, signal: AbortSignal): Promise<void> {
    if (definition === undefined || !this.#definitionsWatchable) return;
    const { kube, kind, timings } = this.#options;
    const change = await definitionChange(kube, kind, {
      knownVersion: definition.resourceVersion,
      deadlineMs: timings.callDeadlineMs,
      timeoutSeconds: Math.ceil(delayMs / 1_000) + 1,
      signal,
    });
    if (change === "unwatchable") this.#definitionsWatchable = false;
    if (change !== "changed" || signal.aborted) return;
    this.#failures = 0;
    this.#wake.abort();
  }
}

function describe(kind: Kind, error: unknown): string {
  return `${resourceName(kind)}: ${error instanceof Error ? error.message : String(error)}`;
}
