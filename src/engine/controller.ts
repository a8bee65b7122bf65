// Runs one feature for one leader term: a change of a watched object adds a key to the queue, and each key is reconciled in rounds
// that have a deadline. A round that takes long leaves its worker to another key (work-queue.ts). A round that ignores its deadline is given
// up, and its key waits for it to end (overdue-runs.ts). Slow lanes are left under way, and the key runs on without them (lanes-under-way.ts).
// A key that broke an invariant is isolated until its objects change. None of these delays another key.

import { formatRef, type KubeObject, type ObjectRef, parseRef } from "../apis/kube/kube-object.ts";
import { MainstayError } from "../core/errors.ts";
import { explainError, explainLasting } from "../core/explain.ts";
import type { Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";
import type { Change } from "./informer/informer-cache.ts";
import type { StoreState } from "./informer/store.ts";
import { WrittenVersions } from "./informer/written-versions.ts";
import { fencedKube } from "./lease/fenced-kube.ts";
import { AppliedShapes } from "./report/apply-status.ts";
import { CurrentReasons } from "./report/current-reasons.ts";
import {
  failuresInARow,
  roundConditionChange,
  roundConditions,
  roundFailed,
  writeRoundCondition,
} from "./report/failed-rounds.ts";
import { ObjectGauges } from "./report/object-gauges.ts";
import { OverwrittenStatus } from "./report/overwritten-status.ts";
import type { PlanJournal } from "./report/plan-journal.ts";
import { RefusedStatus } from "./report/refused-status.ts";
import { backoffMs } from "./round/backoff.ts";
import { LaneBackoffs } from "./round/lane-backoffs.ts";
import { withLaterLook } from "./round/later-look.ts";
import { isTransient, notLeading, type Outcome, outcomeOfError, overdue, recordOutcome } from "./round/outcome.ts";
import type { OverdueRuns } from "./round/overdue-runs.ts";
import { type Rounds, reconcile } from "./round/reconcile.ts";
import { RepeatedSteps } from "./round/repeated-steps.ts";
import { sleep } from "./round/sleep.ts";
import { type RoundEnd, UnfinishedRounds } from "./round/unfinished-rounds.ts";
import { type Requeue, WorkQueue } from "./round/work-queue.ts";

export interface ControllerOptions
  extends Omit<Rounds, "written" | "backoffs" | "repeated" | "overwritten" | "refused" | "shapes"> {
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
  /** Isolated: not even a change wakes it before this monotonic time. */
  isolatedUntilMs: number | undefined;
  /** The effect of its last actions cannot be observed before this monotonic time. */
  heldUntilMs: number;
  /** Of the last outcome, so that the log does not repeat itself. */
  lastSummary: string;
  /** Reasons and messages of the last round, so that its Events are not repeated. */
  lastReported: ReadonlySet<string>;
  /** Rounds in a row that ended before they could report. */
  failures: number;
  /** An earlier run has not ended; the key is added when it has. */
  awaitsEnd: boolean;
}

interface Deadline extends RoundEnd {
  readonly signal: AbortSignal;
  readonly reportSignal: AbortSignal;
}

const defaultDeadlineMs = 120_000;
/** For the status of a round that has used up its time. */
const reportMs = 30_000;
/** Rounds that failed in a row: with their back-off, about a minute. */
const lastingFailures = 8;
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
  readonly #gauges: ObjectGauges;
  readonly #unfinished = new UnfinishedRounds();
  /** Ends lanes that are still under way when a stop has reached its deadline. */
  readonly #cutOff = new AbortController();
  #unsubscribe: readonly (() => void)[] = [];
  #started = false;

  constructor(options: ControllerOptions) {
    const { feature, clock, random, caches, metrics, concurrency } = options;
    this.#options = options;
    this.#log = options.log.with({ controller: feature.name });
    this.#reasons = new CurrentReasons(feature.name, metrics);
    this.#gauges = new ObjectGauges(metrics);
    this.#rounds = {
      ...options,
      written: new WrittenVersions((kind) => caches.cachesOf(kind)),
      backoffs: new LaneBackoffs({ clock, random }),
      repeated: new RepeatedSteps({ clock, random, unseenMs: feature.unseenMs }),
      overwritten: new OverwrittenStatus({ clock, random }),
      refused: new RefusedStatus({ clock, random }),
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
        threw: (key, error) =>
          this.#log.error("reconcile threw an error that was not turned into an outcome", { key, error }),
      },
    });
  }

  /** Collects keys at once, and reconciles them as soon as every watched kind has been listed or is known to be missing. */
  start(): void {
    const { caches } = this.#options;
    this.#unsubscribe = caches.watched.flatMap(({ watch, informer }) => [
      informer.addHandler((change) => this.#onChange(watch.keys, change)),
      informer.onStateChange((state) => this.#onState(state)),
    ]);
    const { lanes } = this.#options;
    // What a former term left is told to nobody.
    for (const key of lanes.keys()) lanes.takeResults(key);
    this.#unsubscribe = [...this.#unsubscribe, lanes.onChange((key) => this.#onLaneChange(key))];
    this.#startWhenSettled();
  }

  /** Keys that anything is remembered about; none once all objects are gone and their last rounds are over. */
  get rememberedKeys(): ReadonlySet<string> {
    const { written, backoffs, repeated, overwritten, refused } = this.#rounds;
    const parts = [
      this.#states,
      this.#changed,
      this.#isolated,
      this.#reasons,
      this.#gauges,
      this.#queue,
      written,
      backoffs,
      repeated,
      overwritten,
      refused,
      this.#options.lanes,
    ];
    return new Set(parts.flatMap((part) => [...part.keys()]));
  }

  /** Nothing new begins; true when everything under way has ended in time. */
  async stop({ deadlineMs }: { readonly deadlineMs: number }): Promise<boolean> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    const drained = await this.#drain(deadlineMs);
    this.#options.metrics.isolatedKeys.set({ controller: this.#options.feature.name }, 0);
    this.#reasons.clear();
    this.#gauges.clear();
    return drained;
  }

  async #drain(deadlineMs: number): Promise<boolean> {
    const { clock, lanes } = this.#options;
    const endsAtMs = clock.monotonicMs() + deadlineMs;
    const isQueueDrained = await this.#queue.stop({ deadlineMs });
    const waiting = new AbortController();
    const inTime = sleep(clock, Math.max(0, endsAtMs - clock.monotonicMs()), waiting.signal).then((slept) => !slept);
    const areLanesEnded = await Promise.race([lanes.settled().then(() => true), inTime]);
    waiting.abort();
    if (!areLanesEnded) this.#cutOff.abort();
    return isQueueDrained && areLanesEnded;
  }

  #startWhenSettled(): void {
    if (this.#started || !this.#options.caches.settled()) return;
    this.#started = true;
    this.#queue.start();
  }

  /** A plan made while a kind could not be listed may be wrong now although no object has changed: all keys are planned again. */
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
    this.#again(key);
  }

  /** Nothing has changed that could help a lane that waits for a change. */
  #again(key: string): void {
    const untilMs = this.#states.get(key)?.isolatedUntilMs;
    if (untilMs === undefined) this.#queue.add(key);
    else this.#queue.addAfter(key, untilMs - this.#options.clock.monotonicMs());
  }

  #onLaneChange(key: string): void {
    this.#countOverdue();
    this.#again(key);
  }

  async #process(key: string, cutOff: AbortSignal): Promise<Requeue> {
    const { clock, metrics, feature } = this.#options;
    const state = this.#states.get(key) ?? this.#firstState(key);
    this.#states.set(key, state);
    const startedMs = clock.monotonicMs();
    // Its own writes come back as watch events while their effect cannot be observed yet.
    if (startedMs < state.heldUntilMs) return { againAfterMs: state.heldUntilMs - startedMs };
    const outcome = this.#counted(key, await this.#run(key, state, cutOff));
    const { summary } = recordOutcome(outcome, {
      controller: feature.name,
      metrics,
      log: this.#log.with({ key }),
      seconds: (clock.monotonicMs() - startedMs) / 1_000,
      lastSummary: state.lastSummary,
    });
    state.lastSummary = summary;
    if (!isTransient(outcome)) {
      const reasons = outcome.why.map(({ reason }) => reason);
      this.#reasons.set(key, reasons);
      state.failures = failuresInARow(state.failures, outcome);
      state.lastReported = this.#recordEvents(key, toldOfLasting(outcome, state.failures), state.lastReported);
      await this.#reportFailedRound(key, outcome, state.failures, cutOff);
    }
    this.#recordPlan(key, outcome);
    this.#remember(key, state, outcome);
    return withLaterLook(outcome);
  }

  /** A count for a gauge that no job declares is a fault of ours like any other: the key is isolated, and the fault is reported. */
  #counted(key: string, outcome: Outcome): Outcome {
    try {
      if (outcome.gauges !== undefined) this.#gauges.set(key, outcome.gauges);
      return outcome;
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  /** When this term meets the key for the first time. */
  #firstState(key: string): KeyState {
    this.#rounds.written.assumeUncertain(key, this.#options.feature.root, parseRef(key));
    return {
      actedRounds: 0,
      staleTries: 0,
      violations: 0,
      isolatedUntilMs: undefined,
      heldUntilMs: 0,
      lastSummary: "",
      lastReported: new Set(),
      failures: 0,
      awaitsEnd: false,
    };
  }

  async #run(key: string, state: KeyState, cutOff: AbortSignal): Promise<Outcome> {
    const { term, overdue: runs, log } = this.#options;
    if (term.signal.aborted) return notLeading;
    if (runs.has(key)) {
      this.#addWhenEnded(key, state);
      return overdue;
    }
    if (this.#changed.delete(key)) this.#rounds.backoffs.changed(key);
    const stragglers: Promise<unknown>[] = [];
    const left: Promise<unknown>[] = [];
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
        onLeft: (work) => left.push(work),
        endUnderWay: (why) => this.#unfinished.abort(key, why),
        wake: () => this.#again(key),
      });
    } catch (error) {
      const violated = error instanceof MainstayError && error.reason === "InvariantViolated";
      const ended = [round.signal, round.reportSignal].find(({ aborted }) => aborted);
      return outcomeOfError(ended === undefined || violated ? error : ended.reason);
    } finally {
      this.#unfinished.keep(key, round, left);
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

  /** Everything that ends a round, as signals whose reason is a MainstayError. */
  #deadline(key: string, cutOff: AbortSignal): Deadline {
    const { clock, feature, term } = this.#options;
    const deadlineMs = feature.deadlineMs ?? defaultDeadlineMs;
    const [work, report] = [new AbortController(), new AbortController()];
    const tooLate = deadlineExceeded(feature.name, key, deadlineMs);
    const loseLeadership = (): void => {
      for (const controller of [work, report]) controller.abort(leadershipLost(feature.name, key));
    };
    const timers = [
      clock.after(deadlineMs, () => work.abort(tooLate)),
      clock.after(deadlineMs + reportMs, () => report.abort(tooLate)),
    ];
    const enders = [term.signal, cutOff, this.#cutOff.signal];
    for (const signal of enders) signal.addEventListener("abort", loseLeadership, { once: true });
    const end = (): void => {
      for (const timer of timers) timer.cancel();
      for (const signal of enders) signal.removeEventListener("abort", loseLeadership);
    };
    return { signal: work.signal, reportSignal: report.signal, abort: (why) => work.abort(why), end };
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
    this.#rounds.repeated.forget(key);
    this.#rounds.overwritten.forget(key);
    this.#rounds.refused.forget(key);
    this.#rounds.written.forget(key);
    this.#options.lanes.takeResults(key);
  }

  /**
   * An Event for every failure, each time (equal ones become a series), and for each refusal, wait and missing kind that the last round
   * did not have. Lanes with the same reason and message share one Event. Answers with the reasons and messages of this round, or, when
   * it ended before it could say what stands, of the one before.
   */
  #recordEvents(key: string, { name, why, round }: Outcome, before: ReadonlySet<string>): ReadonlySet<string> {
    const { caches, recorder } = this.#options;
    const standing = (round?.plan.refusals.length ?? 0) + (round?.plan.waits.length ?? 0);
    const failures = name === "failed" || name === "isolated" ? why.length - standing : 0;
    const reported = new Set<string>();
    const hasEndedEarly = round === undefined && (name === "failed" || name === "isolated");
    for (const [index, explanation] of why.entries()) {
      const words = JSON.stringify([explanation.reason, explanation.text]);
      const failed = index < failures;
      const isNew = !reported.has(words) && (failed || !before.has(words));
      reported.add(words);
      const isWorthAnEvent = explanation.severity !== "info" || explanation.reason === "DryRun";
      // Equal refusals and waits stay one series, whatever else their rounds did.
      const action = failed ? name : "reconcile";
      if (isNew && isWorthAnEvent) recorder.record({ regarding: caches.root(parseRef(key)), action, explanation });
    }
    return hasEndedEarly ? before : reported;
  }

  /** When this write fails only the log says so: the round itself has failed already. */
  async #reportFailedRound(key: string, outcome: Outcome, failures: number, signal: AbortSignal): Promise<void> {
    const { feature, caches, kube, term, clock } = this.#options;
    const object = caches.root(parseRef(key));
    if (feature.reportsFailedRounds !== true || object.metadata.uid === undefined) return;
    const change = roundConditionChange(outcome, failures, object);
    if (change === undefined) return;
    const conditions = roundConditions(change, outcome);
    const { written, overwritten, refused } = this.#rounds;
    const report = { observed: object, status: {}, conditions };
    if (change === "set" && !overwritten.mayWrite(key, roundFailed, report)) return;
    const fenced = written.remembering(key, fencedKube(kube, { fence: term.fence, signal }));
    try {
      const paced = refused.pacing(key, fenced);
      await writeRoundCondition(conditions, { kube: paced, feature, object, nowMs: clock.nowMs() });
      if (change === "set") overwritten.written(key, roundFailed, report);
    } catch (error) {
      this.#log.debug("condition RoundFailed not written", { key, message: explainError(error).text });
    }
  }

  #recordPlan(key: string, outcome: Outcome): void {
    const { journal, feature, term, clock } = this.#options;
    const { name: controller, root: kind } = feature;
    journal?.record({ controller, kind, key: parseRef(key), epoch: term.epoch, nowMs: clock.nowMs(), outcome });
  }

  #countOverdue(): void {
    const { metrics, feature, overdue: runs, lanes } = this.#options;
    metrics.overdueKeys.set({ controller: feature.name }, runs.size + lanes.overdueKeys);
  }
}

/** A conflict is told nobody, unless the round runs into it each time. */
function toldOfLasting(outcome: Outcome, failures: number): Outcome {
  return failures < lastingFailures ? outcome : { ...outcome, why: outcome.why.map(explainLasting) };
}

function deadlineExceeded(controller: string, key: string, deadlineMs: number): MainstayError {
  return new MainstayError({
    reason: "ReconcileDeadlineExceeded",
    message: `${controller} ${key}: the reconcile did not end within ${deadlineMs} ms`,
    hint: "Look for a slow or silent service behind the last action in the log.",
  });
}

function leadershipLost(controller: string, key: string): MainstayError {
  return new MainstayError({
    reason: "LeadershipLost",
    message: `${controller} ${key}: the reconcile was ended, because this manager no longer leads or is stopping`,
  });
}
