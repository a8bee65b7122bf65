// One round for one key: observe → plan → guards → execute → report. Queueing, deadlines and requeueing are in controller.ts;
// what the round's results mean is decided in outcome.ts.

import { formatRef, type ObjectRef, resourceName } from "../../apis/kube/kube-object.ts";
import { changeReason } from "../../core/change-reasons.ts";
import type { MainstayError } from "../../core/errors.ts";
import { explain, explainDone } from "../../core/explain.ts";
import type { Guard } from "../../core/guards.ts";
import { backoffKey, type Plan } from "../../core/plan.ts";
import { present } from "../../core/present.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import type { Log } from "../../ports/log.ts";
import type { ActionOutcome, Feature, Report, StatusReport, Writer } from "../feature.ts";
import type { FeatureCaches } from "../informer/feature-caches.ts";
import type { WrittenVersions } from "../informer/written-versions.ts";
import { fencedKube } from "../lease/fenced-kube.ts";
import type { Term } from "../lease/leader-term.ts";
import { type AppliedShapes, applyStatus } from "../report/apply-status.ts";
import type { EventRecorder } from "../report/events.ts";
import type { Metrics } from "../report/metrics.ts";
import type { OverwrittenStatus } from "../report/overwritten-status.ts";
import { partEvents } from "../report/part-events.ts";
import type { RefusedStatus } from "../report/refused-status.ts";
import { execute } from "./execute.ts";
import { inTime } from "./in-time.ts";
import type { LaneBackoffs } from "./lane-backoffs.ts";
import type { LaneResult, LanesUnderWay } from "./lanes-under-way.ts";
import { cannotObserve, gone, type Outcome, outcomeOfError, outcomeOfRound, stale } from "./outcome.ts";
import type { RepeatedSteps } from "./repeated-steps.ts";
import { untilAborted } from "./until-aborted.ts";

/** What all rounds of a controller share. */
export interface Rounds {
  readonly feature: Feature;
  readonly kube: Kube;
  readonly term: Term;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly guard: Guard;
  readonly caches: FeatureCaches;
  readonly written: WrittenVersions;
  readonly backoffs: LaneBackoffs;
  readonly repeated: RepeatedSteps;
  readonly overwritten: OverwrittenStatus;
  readonly refused: RefusedStatus;
  /** Outlives the controller: what a former term left under way still counts. */
  readonly lanes: LanesUnderWay;
  readonly shapes: AppliedShapes;
  readonly recorder: EventRecorder;
}

export interface Round extends Rounds {
  readonly key: ObjectRef;
  readonly log: Log;
  /** Ends observing and executing: its reason is a MainstayError. */
  readonly signal: AbortSignal;
  /** Ends reporting. Later than `signal`, so that a round that has run out of time can still report that. */
  readonly reportSignal: AbortSignal;
  readonly staleTries: number;
  readonly actedRounds: number;
  readonly onStraggler: (work: Promise<unknown>) => void;
  /** A slow lane, or a question without an answer, goes on after the round, with the round's signal. Never rejects. */
  readonly onLeft: (work: Promise<unknown>) => void;
  /** Ends what earlier rounds left. */
  readonly endUnderWay: (why: MainstayError) => void;
  /** Runs the key again: something that was asked for has been answered. */
  readonly wake: () => void;
}

export async function reconcile(round: Round): Promise<Outcome> {
  const { key, feature, kube, caches, clock, signal, written } = round;
  const missing = caches.missing();
  if (missing !== undefined) return caches.rootWentAway(key) ? gone : cannotObserve(missing);
  // Before anything is read: whatever ends from here on may not be in what is observed.
  const underWay = round.lanes.of(formatRef(key));
  if (!(await untilAborted(written.caughtUp(formatRef(key), kube, signal), signal, round.onStraggler)))
    return stale(round.staleTries);

  const [nowMs, monotonicMs] = [clock.nowMs(), clock.monotonicMs()];
  const failed = new Map([
    ...round.repeated.retryDelays(formatRef(key)),
    ...round.backoffs.retryDelays(formatRef(key)),
  ]);
  const reader = {
    kube,
    cached: caches.cached.bind(caches),
    nowMs,
    monotonicMs,
    signal,
    failed,
    underWay,
    inTime: <T>(answer: Promise<T>) => answeredInTime(answer, round),
    endUnderWay: round.endUnderWay,
    epoch: round.term.epoch,
  };
  const earlier = earlierResults(round);
  const observed = await untilAborted(feature.observe(key, reader), signal, round.onStraggler);
  if (observed === undefined) return gone;
  const planned = round.guard(feature.plan(observed, nowMs));
  const plan = round.repeated.hold(formatRef(key), planned, caches.root(key));
  const executed = await execute({
    key: formatRef(key),
    actions: plan.actions,
    executors: feature.executors,
    writer: writerOf(round, nowMs),
    backoffs: round.backoffs,
    clock,
    lanes: round.lanes,
    underWay,
  });
  for (const straggler of executed.stragglers) round.onStraggler(straggler);
  for (const lane of executed.left) round.onLeft(lane);
  countActions(round, executed.outcomes);
  const outcomes = [...earlier.outcomes, ...executed.outcomes];
  round.repeated.done(formatRef(key), outcomes);
  const violation = executed.violation ?? earlier.violation;
  const report = feature.report?.({ key, observed, plan, outcomes, nowMs }) ?? { statuses: [] };
  recordEvents(round, report, outcomes);
  await untilAborted(applyStatuses(round, report, plan, nowMs), round.reportSignal, round.onStraggler);
  if (violation !== undefined) return outcomeOfError(violation);
  const acted = outcomes.some(({ result }) => result === "done");
  const settleMs = settlingTime(feature, outcomes);
  const laneRetryMs = cameDue(planned, failed, clock.monotonicMs() - monotonicMs)
    ? 0
    : outcomes.length === 0
      ? undefined
      : round.backoffs.nextMs(formatRef(key));
  const actedRounds = acted ? round.actedRounds + 1 : 0;
  const { gauges } = report;
  return {
    ...outcomeOfRound({
      plan: {
        ...plan,
        actions: [...earlier.outcomes.map(({ action }) => action), ...plan.actions],
        waits: [
          ...round.overwritten.waits(formatRef(key)),
          ...round.overwritten.lengthened(formatRef(key), plan.waits),
        ],
      },
      outcomes,
      laneRetryMs,
      actedRounds,
      settleMs,
      observeAgainMs: feature.observeAgainMs?.(observed),
    }),
    ...present({ gauges }),
  };
}

/** Of lanes that earlier rounds left, and that have ended since: they count as this round's. One that its term ended has not failed. */
function earlierResults(round: Round): LaneResult {
  const results = round.lanes.takeResults(formatRef(round.key));
  const outcomes = results
    .flatMap((result) => result.outcomes)
    .filter((outcome) => outcome.result === "done" || outcome.reason !== "LeadershipLost");
  countActions(round, outcomes);
  return { outcomes, violation: results.find(({ violation }) => violation)?.violation };
}

async function answeredInTime<T>(
  answer: Promise<T>,
  { clock, wake, onLeft }: Round,
): Promise<{ readonly value: T } | undefined> {
  const answered = await inTime(answer, clock);
  if (answered === undefined) onLeft(answer.catch(() => undefined).then(wake));
  return answered;
}

/** The time of something that this round was not to begin came while it went on: the next one does. */
function cameDue({ actions }: Plan, failed: ReadonlyMap<string, number>, passedMs: number): boolean {
  return actions.some((action) => action.notNow && (failed.get(backoffKey(action)) ?? 0) <= passedMs);
}

/** Until the first effect can be observed: no lane waits for the slowest one. */
function settlingTime({ settleMs }: Feature, outcomes: readonly ActionOutcome[]): number {
  const done = outcomes.filter(({ result }) => result === "done");
  return settleMs === undefined || done.length === 0 ? 0 : Math.min(...done.map(({ action }) => settleMs(action)));
}

function writerOf(round: Round, nowMs: number): Writer {
  const { kube, term, written, signal, log, key } = round;
  const fenced = fencedKube(kube, { fence: term.fence, signal });
  return {
    kube: written.remembering(formatRef(key), fenced),
    nowMs,
    signal,
    fence: term.fence,
    epoch: term.epoch,
    log,
  };
}

async function applyStatuses(round: Round, { statuses }: Report, { waits }: Plan, nowMs: number): Promise<void> {
  const { kube, term, written, shapes, feature, overwritten, refused } = round;
  const key = formatRef(round.key);
  const fenced = written.remembering(key, fencedKube(kube, { fence: term.fence, signal: round.reportSignal }));
  const paced = refused.pacing(key, fenced);
  const latestVersion = ({ kind, ref }: StatusReport): string | undefined => written.latest(key, kind, ref);
  overwritten.retain(key, new Set(statuses.map(statusId)));
  for (const status of statuses) {
    if (!overwritten.mayWrite(key, statusId(status), status, waits)) continue;
    const options = { kube: paced, feature: feature.name, nowMs, latestVersion };
    if (!(await applyStatus(status, shapes, options))) continue;
    overwritten.written(key, statusId(status), status, waits);
    for (const event of partEvents(feature.shows ?? [], status)) round.recorder.record(event);
  }
}

/** An object that was made anew is another one. */
function statusId({ kind, ref, observed }: StatusReport): string {
  return `${resourceName(kind)} ${formatRef(ref)} ${observed.metadata.uid ?? ""}`;
}

function countActions({ metrics, feature }: Round, outcomes: readonly ActionOutcome[]): void {
  for (const { action, result } of outcomes)
    metrics.actions.inc({ controller: feature.name, action: action.kind, result });
}

function recordEvents(
  { recorder, caches, key, feature }: Round,
  report: Report,
  outcomes: readonly ActionOutcome[],
): void {
  const root = caches.root(key);
  for (const { action, result } of outcomes) {
    const regarding = feature.regarding === undefined ? root : feature.regarding(action);
    if (result !== "done" || regarding === undefined) continue;
    const explanation = explainDone(changeReason(feature.changes, action), action);
    recorder.record({ regarding, action: action.kind, explanation });
  }
  for (const { reason, message, regarding = root } of report.events ?? [])
    recorder.record({ regarding, action: "report", explanation: explain(reason, message) });
}
