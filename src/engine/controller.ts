// Runs one feature for one term: watched objects become keys, keys become rounds, outcomes become requeues. Every round has a deadline.
// What ignores the deadline loses its worker but keeps its key (overdue-runs.ts); what breaks an invariant is parked until its
// objects change; neither holds up another key.

import { formatRef, type KubeObject, type ObjectRef, parseRef } from "../apis/kube/kube-object.ts";
import { MainstayError } from "../core/errors.ts";
import { explainError } from "../core/explain.ts";
import type { Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import type { Change } from "./informer/informer-cache.ts";
import type { StoreState } from "./informer/store.ts";
import { WrittenVersions } from "./informer/written-versions.ts";
import { fencedKube } from "./lease/fenced-kube.ts";
import { AppliedShapes } from "./report/apply-status.ts";
import { CurrentReasons } from "./report/current-reasons.ts";
import { conditionToTell, failuresInARow, tellRound } from "./report/failed-rounds.ts";
import type { PlanJournal } from "./report/plan-journal.ts";
import { SummedGauges } from "./report/summed-gauges.ts";
import { backoffMs } from "./round/backoff.ts";
import { LaneBackoffs } from "./round/lane-backoffs.ts";
import { type Outcome, outcomeOfError, overdue, settle, unled } from "./round/outcome.ts";
import type { OverdueRuns } from "./round/overdue-runs.ts";
import { type Rounds, reconcile } from "./round/reconcile.ts";
import { type Verdict, WorkQueue } from "./round/work-queue.ts";

export interface ControllerOptions extends Omit<Rounds, "written" | "backoffs" | "shapes"> {
  readonly random: Random;
  readonly log: Log;
  readonly concurrency?: number | undefined;
  /** Outlives the controller: what a former term left running still counts. */
  readonly overdue: OverdueRuns;
  /** Remembers rounds for people. */
  readonly journal?: Pick<PlanJournal, "record"> | undefined;
}

interface KeyState {
  actedRounds: number;
  staleTries: number;
  violations: number;
  /** Parked: not even a change wakes it before this monotonic time. */
  isolatedUntilMs: number | undefined;
  /** What it did last cannot show before this monotonic time. */
  heldUntilMs: number;
  told: string;
  /** What held the key up in its last round, each with its reason and words. */
  spoken: ReadonlySet<string>;
  /** Rounds in a row that ended before they could report. */
  failures: number;
  /** An earlier run has not ended; the key is added when it has. */
  awaitsEnd: boolean;
}

interface Deadline {
  readonly signal: AbortSignal;
  readonly reportSignal: AbortSignal;
  readonly end: () => void;
}

const defaultDeadlineMs = 120_000;
/** For the status of a round that has used up its time. */
const reportMs = 30_000;
const isolation = { baseMs: 1_000, maxMs: 300_000 };

export class Controller {
  readonly #options: ControllerOptions;
  readonly #rounds: Rounds;
  readonly #queue: WorkQueue;
  readonly #log: Log;
  readonly #states = new Map<string, KeyState>();
  readonly #changed = new Set<string>();
  readonly #isolated = new Set<string>();
  readonly #reasons: CurrentReasons;
  readonly #gauges: SummedGauges;
  #unsubscribe: readonly (() => void)[] = [];
  #started = false;

  constructor(options: ControllerOptions) {
    const { feature, clock, random, caches, metrics, concurrency } = options;
    this.#options = options;
    this.#log = options.log.with({ controller: feature.name });
    this.#reasons = new CurrentReasons(feature.name, metrics);
    this.#gauges = new SummedGauges(metrics);
    this.#rounds = {
      ...options,
      written: new WrittenVersions((kind) => caches.witnesses(kind)),
      backoffs: new LaneBackoffs({ clock, random }),
      shapes: new AppliedShapes(),
    };
    this.#queue = new WorkQueue({
      clock,
      random,
      concurrency: concurrency ?? feature.concurrency ?? 1,
      process: (key, cutOff) => this.#process(key, cutOff),
      observer: {
        depthChanged: (depth) => metrics.queueDepth.set({ controller: feature.name }, depth),
        started: (_key, queuedMs) => metrics.queueSeconds.observe({ controller: feature.name }, queuedMs / 1_000),
        threw: (key, error) => this.#log.error("reconcile escaped its own judgement", { key, error }),
      },
    });
  }

  /** Collects keys at once, and works on them as soon as every watched kind has been listed or is known to be missing. */
  start(): void {
    const { caches } = this.#options;
    this.#unsubscribe = caches.watched.flatMap(({ watch, informer }) => [
      informer.addHandler((change) => this.#onChange(watch.keys, change)),
      informer.onStateChange((state) => this.#onState(state)),
    ]);
    this.#startWhenSettled();
  }

  /** Keys that anything is remembered about; none once all objects are gone and their last rounds are over. */
  get rememberedKeys(): ReadonlySet<string> {
    const { written, backoffs } = this.#rounds;
    const parts = [
      this.#states,
      this.#changed,
      this.#isolated,
      this.#reasons,
      this.#gauges,
      this.#queue,
      written,
      backoffs,
    ];
    return new Set(parts.flatMap((part) => [...part.keys()]));
  }

  /** Nothing new begins; true when everything under way has ended in time. */
  async stop({ deadlineMs }: { readonly deadlineMs: number }): Promise<boolean> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    const drained = await this.#queue.stop({ deadlineMs });
    this.#options.metrics.isolatedKeys.set({ controller: this.#options.feature.name }, 0);
    this.#reasons.clear();
    this.#gauges.clear();
    return drained;
  }

  #startWhenSettled(): void {
    if (this.#started || !this.#options.caches.settled()) return;
    this.#started = true;
    this.#queue.start();
  }

  /** What was planned while a kind could not be seen was planned without it: no object need change for it to be wrong. */
  #onState(state: StoreState): void {
    this.#startWhenSettled();
    if (state !== "synced") return;
    for (const key of this.#states.keys()) this.#wake(key);
  }

  #onChange(keysOf: (object: KubeObject) => readonly ObjectRef[], change: Change): void {
    const before = change.type === "updated" ? keysOf(change.previous) : [];
    for (const ref of [...before, ...keysOf(change.object)]) this.#wake(formatRef(ref));
  }

  #wake(key: string): void {
    this.#changed.add(key);
    const untilMs = this.#states.get(key)?.isolatedUntilMs;
    if (untilMs === undefined) this.#queue.add(key);
    else this.#queue.addAfter(key, untilMs - this.#options.clock.monotonicMs());
  }

  async #process(key: string, cutOff: AbortSignal): Promise<Verdict> {
    const { clock, metrics, feature } = this.#options;
    const state = this.#states.get(key) ?? this.#firstState(key);
    this.#states.set(key, state);
    const startedMs = clock.monotonicMs();
    // Its own writes come back as events, too, while the world is still busy with them.
    if (startedMs < state.heldUntilMs) return { againAfterMs: state.heldUntilMs - startedMs };
    const outcome = await this.#run(key, state, cutOff);
    const { verdict, told, passing } = settle(outcome, {
      controller: feature.name,
      metrics,
      log: this.#log.with({ key }),
      seconds: (clock.monotonicMs() - startedMs) / 1_000,
      toldBefore: state.told,
    });
    state.told = told;
    if (!passing)
      this.#reasons.set(
        key,
        outcome.why.map(({ reason }) => reason),
      );
    if (outcome.gauges !== undefined) this.#gauges.set(key, outcome.gauges);
    if (!passing) {
      state.spoken = this.#tellTrouble(key, outcome, state.spoken);
      state.failures = failuresInARow(state.failures, outcome);
      await this.#tellRound(key, outcome, state.failures, cutOff);
    }
    this.#note(key, outcome);
    this.#remember(key, state, outcome);
    return verdict;
  }

  /** Of this term. */
  #firstState(key: string): KeyState {
    this.#rounds.written.doubt(key, this.#options.feature.root, parseRef(key));
    return {
      actedRounds: 0,
      staleTries: 0,
      violations: 0,
      isolatedUntilMs: undefined,
      heldUntilMs: 0,
      told: "",
      spoken: new Set(),
      failures: 0,
      awaitsEnd: false,
    };
  }

  async #run(key: string, state: KeyState, cutOff: AbortSignal): Promise<Outcome> {
    const { term, overdue: runs, log } = this.#options;
    if (term.signal.aborted) return unled;
    if (runs.has(key)) {
      this.#addWhenEnded(key, state);
      return overdue;
    }
    if (this.#changed.delete(key)) this.#rounds.backoffs.changed(key);
    const stragglers: Promise<unknown>[] = [];
    const round = this.#deadline(key, cutOff);
    try {
      return await reconcile({
        ...this.#rounds,
        ...state,
        key: parseRef(key),
        log: log.with({ controller: this.#rounds.feature.name, key }),
        signal: round.signal,
        reportSignal: round.reportSignal,
        onStraggler: (work) => stragglers.push(work),
      });
    } catch (error) {
      const violated = error instanceof MainstayError && error.reason === "InvariantViolated";
      const ended = [round.signal, round.reportSignal].find(({ aborted }) => aborted);
      return outcomeOfError(ended === undefined || violated ? error : ended.reason);
    } finally {
      round.end();
      runs.track(key, stragglers, () => this.#countOverdue());
    }
  }

  /** One callback however often the key is woken meanwhile. */
  #addWhenEnded(key: string, state: KeyState): void {
    if (state.awaitsEnd) return;
    state.awaitsEnd = true;
    void this.#options.overdue.ended(key).then(() => {
      state.awaitsEnd = false;
      this.#queue.add(key);
    });
  }

  /** All that ends a round as signals with a reason that can be told. */
  #deadline(key: string, cutOff: AbortSignal): Deadline {
    const { clock, feature, term } = this.#options;
    const deadlineMs = feature.deadlineMs ?? defaultDeadlineMs;
    const [work, report] = [new AbortController(), new AbortController()];
    const tooLate = deadlineExceeded(feature.name, key, deadlineMs);
    const unledBy = (): void => {
      for (const controller of [work, report]) controller.abort(leadershipLost(feature.name, key));
    };
    const timers = [
      clock.after(deadlineMs, () => work.abort(tooLate)),
      clock.after(deadlineMs + reportMs, () => report.abort(tooLate)),
    ];
    const enders = [term.signal, cutOff];
    for (const signal of enders) signal.addEventListener("abort", unledBy, { once: true });
    const end = (): void => {
      for (const timer of timers) timer.cancel();
      for (const signal of enders) signal.removeEventListener("abort", unledBy);
    };
    return { signal: work.signal, reportSignal: report.signal, end };
  }

  #remember(key: string, state: KeyState, { name, actedRounds, holdMs = 0 }: Outcome): void {
    const { clock, random, metrics, feature } = this.#options;
    state.heldUntilMs = clock.monotonicMs() + holdMs;
    if (name !== "stale") state.actedRounds = actedRounds ?? 0;
    state.staleTries = name === "stale" ? state.staleTries + 1 : 0;
    const violated = name === "isolated";
    if (violated) state.violations += 1;
    else if (name !== "stale" && name !== "overdue") state.violations = 0;
    state.isolatedUntilMs = violated ? clock.monotonicMs() + backoffMs(isolation, state.violations, random) : undefined;
    if (violated) this.#isolated.add(key);
    else this.#isolated.delete(key);
    metrics.isolatedKeys.set({ controller: feature.name }, this.#isolated.size);
    if (name === "gone") this.#forget(key);
  }

  #forget(key: string): void {
    this.#states.delete(key);
    this.#rounds.backoffs.forget(key);
    this.#rounds.written.forget(key);
  }

  /**
   * Failures each time (they become a series); refusals, waits and missing kinds when they are new, each for itself: what changes beside
   * them makes them no news. What several lanes say in the same words is said once.
   */
  #tellTrouble(key: string, { name, why, round }: Outcome, before: ReadonlySet<string>): ReadonlySet<string> {
    const { caches, recorder } = this.#options;
    const standing = (round?.plan.refusals.length ?? 0) + (round?.plan.waits.length ?? 0);
    const failures = name === "failed" || name === "isolated" ? why.length - standing : 0;
    const spoken = new Set<string>();
    for (const [index, explanation] of why.entries()) {
      const words = JSON.stringify([explanation.reason, explanation.text]);
      const failed = index < failures;
      const isNews = !spoken.has(words) && (failed || !before.has(words));
      spoken.add(words);
      const worthTelling = explanation.severity !== "info" || explanation.reason === "DryRun";
      // Whatever else the round did, the same trouble is the same news.
      const action = failed ? name : "reconcile";
      if (isNews && worthTelling) recorder.record({ regarding: caches.root(parseRef(key)), action, explanation });
    }
    return spoken;
  }

  /** What keeps the round from being told is told by the log alone: the round itself has failed already. */
  async #tellRound(key: string, outcome: Outcome, failures: number, signal: AbortSignal): Promise<void> {
    const { feature, caches, kube, term, clock } = this.#options;
    const object = caches.root(parseRef(key));
    if (feature.tellsFailedRounds !== true || object.metadata.uid === undefined) return;
    const told = conditionToTell(outcome, failures, object);
    if (told === undefined) return;
    const fenced = this.#rounds.written.remembering(key, fencedKube(kube, { fence: term.fence, signal }));
    try {
      await tellRound(told, outcome, { kube: fenced, feature, object, nowMs: clock.nowMs() });
    } catch (error) {
      this.#log.debug("failed round not told", { key, message: explainError(error).text });
    }
  }

  #note(key: string, outcome: Outcome): void {
    const { journal, feature, term, clock } = this.#options;
    const { name: controller, root: kind } = feature;
    journal?.record({ controller, kind, key: parseRef(key), epoch: term.epoch, nowMs: clock.nowMs(), outcome });
  }

  #countOverdue(): void {
    const { metrics, feature, overdue: runs } = this.#options;
    metrics.overdueKeys.set({ controller: feature.name }, runs.size);
  }
}

function deadlineExceeded(controller: string, key: string, deadlineMs: number): MainstayError {
  return new MainstayError({
    reason: "ReconcileDeadlineExceeded",
    message: `${controller} ${key}: not done within ${deadlineMs} ms`,
    hint: "Look for a slow or silent service behind the last action in the log.",
  });
}

function leadershipLost(controller: string, key: string): MainstayError {
  return new MainstayError({
    reason: "LeadershipLost",
    message: `${controller} ${key}: given up, this manager no longer leads or stops`,
  });
}
