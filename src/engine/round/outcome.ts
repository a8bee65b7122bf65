// The outcome of one round, and the one place where it becomes a requeue, a metric and a log line. The names are label values of
// `mainstay_reconciles_total`.
//
//   outcome    meaning                                              runs again
//   gone       the key's object does not exist                      –
//   quiet      nothing to do; there may be a notice                 on change, or hours later
//   acted      changes were made                                    once their effect can be observed; slower if it keeps acting
//   waiting    something outside has to happen first                after the shortest wait
//   refused    all that is left to do is refused                    on change, or after a while
//   failed     a lane or the whole key failed                       by the reason's retry class
//   isolated   an invariant was broken                              on change, later and later; or hours later
//   stale      caches are behind the key's own writes               shortly
//   blind      a kind that is needed cannot be observed             after a while
//   overdue    an earlier run of the key has not ended              when it ends
//   unled      the manager lost its lease during the round          with back-off, if the term goes on

import { InvariantViolation, MainstayError } from "../../core/errors.ts";
import { type Explanation, explain, explainError, explainLasting } from "../../core/explain.ts";
import type { GaugeCount } from "../../core/job/metric.ts";
import type { Plan } from "../../core/plan.ts";
import { present } from "../../core/present.ts";
import { factsOf } from "../../core/reasons.ts";
import type { Log } from "../../ports/log.ts";
import type { ActionOutcome } from "../feature.ts";
import type { Metrics } from "../report/metrics.ts";
import { defaultRecheckMs } from "./lane-backoffs.ts";
import type { Requeue } from "./work-queue.ts";

export type OutcomeName =
  | "gone"
  | "quiet"
  | "acted"
  | "waiting"
  | "refused"
  | "failed"
  | "isolated"
  | "stale"
  | "blind"
  | "overdue"
  | "unled";

export interface Outcome {
  readonly name: OutcomeName;
  readonly next: Requeue;
  /** Failures, refusals and waits, most important first. */
  readonly why: readonly Explanation[];
  /** Rounds in a row, this one included, in which something was done. */
  readonly actedRounds?: number;
  /** The key is not run again before this, whatever wakes it. */
  readonly holdMs?: number;
  /** Absent: they could not be counted. */
  readonly gauges?: readonly GaugeCount[];
  /** The plan and the results of its actions. Absent: the round ended before. */
  readonly round?: Pick<RoundResult, "plan" | "outcomes">;
}

export interface RoundResult {
  readonly plan: Plan;
  readonly outcomes: readonly ActionOutcome[];
  /** Until the first lane that backs off may be tried. */
  readonly laneRetryMs: number | undefined;
  /** Rounds in a row, this one included, in which something was done. */
  readonly actedRounds: number;
  /** The effect of what was done cannot be observed before this. */
  readonly settleMs?: number;
  /** Observe again after this long at the latest, whatever the outcome. */
  readonly observeAgainMs?: number | undefined;
}

/** A plan that keeps acting is not converging: after so many rounds it slows down. */
const eagerRounds = 10;
const refusedRecheckMs = 60_000;
/** A wait of zero, or of the remainder of a rounded difference, would be a busy loop. */
const shortestWaitMs = 50;

export function outcomeOfRound(result: RoundResult): Outcome {
  const { plan, outcomes, laneRetryMs, actedRounds, settleMs = 0, observeAgainMs } = result;
  const failures = outcomes
    .filter((outcome) => outcome.result === "failed")
    .map(({ reason, message, stack, isLasting }) => {
      const why = explain(reason, message);
      return { ...(isLasting === true ? explainLasting(why) : why), ...present({ stack }) };
    });
  if (failures.some(({ reason }) => reason === "LeadershipLost")) return notLeading;
  const acted = outcomes.some((outcome) => outcome.result === "done");
  const refusals = plan.refusals.map(({ reason, message }) => explain(reason, message));
  const waits = plan.waits.map(({ reason, message }) => explain(reason, message));
  const waiting = plan.waits.length > 0 || outcomes.some((outcome) => outcome.result === "skipped");
  const isRefused = refusals.some(({ reason }) => !factsOf(reason).notice);
  const name = failures.length > 0 ? "failed" : acted ? "acted" : waiting ? "waiting" : isRefused ? "refused" : "quiet";
  const delays = [
    ...plan.waits.map((wait) => Math.max(shortestWaitMs, wait.recheckAfterMs)),
    ...(laneRetryMs === undefined ? [] : [Math.max(shortestWaitMs, laneRetryMs)]),
    ...(acted ? [settleMs + Math.max(0, actedRounds - eagerRounds) * 1_000] : []),
    ...(refusals.some(({ reason }) => factsOf(reason).retry !== "on-change") ? [refusedRecheckMs] : []),
  ];
  const retries = failures.some(({ reason }) => factsOf(reason).retry !== "on-change");
  const ownPace: Requeue = delays.length > 0 ? { againAfterMs: Math.min(...delays) } : retries ? "retry" : "done";
  const next = atTheLatest(ownPace, observeAgainMs);
  const why = [...failures, ...refusals, ...waits];
  return { name, next, why, actedRounds, holdMs: acted ? settleMs : 0, round: { plan, outcomes } };
}

/** A retry comes soon enough by itself. */
function atTheLatest(next: Requeue, observeAgainMs: number | undefined): Requeue {
  if (observeAgainMs === undefined || next === "retry") return next;
  const latestMs = Math.max(shortestWaitMs, observeAgainMs);
  const ownMs = typeof next === "object" && "againAfterMs" in next ? next.againAfterMs : latestMs;
  return { againAfterMs: Math.min(latestMs, ownMs) };
}

/** The whole key failed: it could not be observed, planned or reported. */
export function outcomeOfError(error: unknown): Outcome {
  const why = [explainError(error)];
  const [{ reason } = explain("UnexpectedError")] = why;
  if (error instanceof InvariantViolation) return { name: "isolated", next: "done", why };
  if (reason === "LeadershipLost") return notLeading;
  const { retry } = factsOf(reason);
  const askedMs = error instanceof MainstayError ? (error.retryAfterMs ?? 0) : 0;
  if (retry === "on-change" && askedMs === 0) return { name: "failed", next: "done", why };
  if (retry === "wait" || askedMs > 0)
    return {
      name: "failed",
      next: { againAfterMs: Math.max(askedMs, retry === "wait" ? defaultRecheckMs : shortestWaitMs) },
      why,
    };
  return { name: "failed", next: "retry", why };
}

export const gone: Outcome = { name: "gone", next: "done", why: [], gauges: [] };
/** When the term has ended its queue has ended too. When the lease only could not be renewed for a moment, the key is retried. */
export const notLeading: Outcome = { name: "unled", next: "retry", why: [] };
export const overdue: Outcome = { name: "overdue", next: "done", why: [] };

/** Doubles from 20 ms to a second: caches are usually behind by a few milliseconds. */
export function stale(tries: number): Outcome {
  return { name: "stale", next: { againAfterMs: Math.min(1_000, 20 * 2 ** Math.min(tries, 10)) }, why: [] };
}

export function cannotObserve(missing: Explanation): Outcome {
  return { name: "blind", next: { againAfterMs: defaultRecheckMs }, why: [missing] };
}

/** Such an outcome says nothing about the key itself: what the round before reported still holds. */
export function isTransient({ name }: Pick<Outcome, "name">): boolean {
  return name === "stale" || name === "overdue" || name === "unled";
}

export interface RecordContext {
  readonly controller: string;
  readonly metrics: Metrics;
  /** Bound to the controller and the key. */
  readonly log: Log;
  readonly seconds: number;
  /** Of the key's outcome before this one, so that the log does not repeat itself. */
  readonly lastSummary: string;
}

export interface RecordedOutcome {
  /** Name, reasons and messages; of a transient outcome the summary before it. */
  readonly summary: string;
  /** The summary is another than the last one. */
  readonly isNew: boolean;
}

/** Counts the outcome and logs it. */
export function recordOutcome(outcome: Outcome, context: RecordContext): RecordedOutcome {
  const { controller, metrics, log, seconds, lastSummary } = context;
  const { name, why, next } = outcome;
  metrics.reconciles.inc({ controller, outcome: name });
  metrics.reconcileSeconds.observe({ controller, outcome: name }, seconds);
  for (const { reason } of why) metrics.reasons.inc({ controller, reason });
  const summary = JSON.stringify([name, ...why.map(({ reason, text }) => [reason, text])]);
  const isNew = summary !== lastSummary;
  if (name === "failed" || name === "isolated") logWhy(log, "reconcile failed", why);
  else if (name === "refused" && isNew) logWhy(log, "changes refused", why);
  else if (name === "quiet" && isNew && why.length > 0) logWhy(log, "notice", why);
  else if (name === "blind" && isNew) logWhy(log, "a kind that is needed cannot be observed", why);
  else log.debug("reconciled", { outcome: name, next });
  return isTransient(outcome) ? { summary: lastSummary, isNew: false } : { summary, isNew };
}

function logWhy(log: Log, message: string, why: readonly Explanation[]): void {
  const [first, ...more] = why;
  if (first === undefined) return;
  const { reason, text, runbook, logLevel, stack } = first;
  log[logLevel](message, {
    reason,
    message: text,
    runbook,
    ...present({ stack }),
    ...(more.length === 0 ? {} : { more: more.map((other) => other.text) }),
  });
}
