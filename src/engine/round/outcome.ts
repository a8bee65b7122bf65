// What a reconcile came to, and the one place where that becomes a requeue, a metric and a log line.
//
//   outcome    meaning                                              next
//   gone       the key's object is no more                          –
//   quiet      nothing to do, though there may be something to know  –
//   acted      changes were made                                    as soon as it can show what they led to; slower if it never ends
//   waiting    something outside has to happen first                after the shortest wait
//   refused    nothing to do but what may not be done               on change, or after a while
//   failed     a lane or the whole key failed                       by the reason's retry class
//   isolated   an invariant was broken                              on change, later and later
//   stale      caches are behind the key's own writes               shortly
//   blind      a kind that is needed cannot be seen                 after a while
//   overdue    an earlier run of the key has not ended              when it ends
//   unled      the fence came down under it                         with back-off, should the term go on

import { InvariantViolation, MainstayError } from "../../core/errors.ts";
import { type Explanation, explain, explainError } from "../../core/explain.ts";
import type { GaugeCount } from "../../core/job/metric.ts";
import type { Plan } from "../../core/plan.ts";
import { factsOf } from "../../core/reasons.ts";
import type { Log } from "../../ports/log.ts";
import type { ActionOutcome } from "../feature.ts";
import type { Metrics } from "../report/metrics.ts";
import { defaultRecheckMs } from "./lane-backoffs.ts";
import type { Verdict } from "./work-queue.ts";

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
  readonly next: Verdict;
  /** Failures, refusals and waits, most important first. */
  readonly why: readonly Explanation[];
  /** Rounds in a row, this one included, in which something was done. */
  readonly actedRounds?: number;
  /** The key is not to be run before, whatever wakes it. */
  readonly holdMs?: number;
  /** What the key has outside, when somebody could count. */
  readonly gauges?: readonly GaugeCount[];
  /** What was planned and what came of it, when it came that far. */
  readonly round?: Pick<RoundResult, "plan" | "outcomes">;
}

export interface RoundResult {
  readonly plan: Plan;
  readonly outcomes: readonly ActionOutcome[];
  /** Until a lane that backs off may be tried. */
  readonly laneRetryMs: number | undefined;
  /** Rounds in a row, this one included, in which something was done. */
  readonly actedRounds: number;
  /** Before this, what was done cannot show. */
  readonly settleMs?: number;
  /** Look again then at the latest, whatever the round came to. */
  readonly relookMs?: number | undefined;
}

/** A plan that keeps acting is not converging: after so many rounds it slows down. */
const eagerRounds = 10;
const refusedRecheckMs = 60_000;
/** A wait of nothing at all would be a loop. */
const shortestWaitMs = 50;

export function outcomeOfRound(result: RoundResult): Outcome {
  const { plan, outcomes, laneRetryMs, actedRounds, settleMs = 0, relookMs } = result;
  const failures = outcomes
    .filter((outcome) => outcome.result === "failed")
    .map(({ reason, message, stack }) => ({ ...explain(reason, message), ...(stack === undefined ? {} : { stack }) }));
  if (failures.some(({ reason }) => reason === "LeadershipLost")) return unled;
  const acted = outcomes.some((outcome) => outcome.result === "done");
  const refusals = plan.refusals.map(({ reason, message }) => explain(reason, message));
  const waits = plan.waits.map(({ reason, message }) => explain(reason, message));
  const waiting = plan.waits.length > 0 || outcomes.some((outcome) => outcome.result === "skipped");
  const isRefused = refusals.some(({ reason }) => !factsOf(reason).notice);
  const name = failures.length > 0 ? "failed" : acted ? "acted" : waiting ? "waiting" : isRefused ? "refused" : "quiet";
  const delays = [
    ...plan.waits.map((wait) => Math.max(shortestWaitMs, wait.recheckAfterMs)),
    ...(laneRetryMs === undefined ? [] : [laneRetryMs]),
    ...(acted ? [settleMs + Math.max(0, actedRounds - eagerRounds) * 1_000] : []),
    ...(refusals.some(({ reason }) => factsOf(reason).retry !== "on-change") ? [refusedRecheckMs] : []),
  ];
  const retries = failures.some(({ reason }) => factsOf(reason).retry !== "on-change");
  const ownPace: Verdict = delays.length > 0 ? { againAfterMs: Math.min(...delays) } : retries ? "retry" : "done";
  const next = atTheLatest(ownPace, relookMs);
  const why = [...failures, ...refusals, ...waits];
  return { name, next, why, actedRounds, holdMs: acted ? settleMs : 0, round: { plan, outcomes } };
}

/** A retry comes soon enough by itself. */
function atTheLatest(next: Verdict, relookMs: number | undefined): Verdict {
  if (relookMs === undefined || next === "retry") return next;
  return { againAfterMs: Math.min(relookMs, next === "done" ? relookMs : next.againAfterMs) };
}

/** The whole key failed: it could not be observed, planned or reported. */
export function outcomeOfError(error: unknown): Outcome {
  const why = [explainError(error)];
  const [{ reason } = explain("UnexpectedError")] = why;
  if (error instanceof InvariantViolation) return { name: "isolated", next: "done", why };
  if (reason === "LeadershipLost") return unled;
  const { retry } = factsOf(reason);
  const askedMs = error instanceof MainstayError ? (error.retryAfterMs ?? 0) : 0;
  if (retry === "on-change") return { name: "failed", next: "done", why };
  if (retry === "wait" || askedMs > 0)
    return { name: "failed", next: { againAfterMs: Math.max(askedMs, retry === "wait" ? defaultRecheckMs : 0) }, why };
  return { name: "failed", next: "retry", why };
}

export const gone: Outcome = { name: "gone", next: "done", why: [], gauges: [] };
/** When the term has ended the queue has too; when only the fence was down for a moment, the work is still ours. */
export const unled: Outcome = { name: "unled", next: "retry", why: [] };
export const overdue: Outcome = { name: "overdue", next: "done", why: [] };

/** Doubles from 20 ms to a second: caches are usually behind by a few milliseconds. */
export function stale(tries: number): Outcome {
  return { name: "stale", next: { againAfterMs: Math.min(1_000, 20 * 2 ** Math.min(tries, 10)) }, why: [] };
}

export function blind(missing: Explanation): Outcome {
  return { name: "blind", next: { againAfterMs: defaultRecheckMs }, why: [missing] };
}

export interface Settling {
  readonly controller: string;
  readonly metrics: Metrics;
  /** Bound to the controller and the key. */
  readonly log: Log;
  readonly seconds: number;
  /** What the last outcome of this key told, to say nothing twice. */
  readonly toldBefore: string;
}

export interface Settled {
  readonly verdict: Verdict;
  readonly told: string;
  /** The explanations are not the ones told last time. */
  readonly news: boolean;
  /** Says nothing about the key itself: what was known of it still holds. */
  readonly passing: boolean;
}

export function settle(outcome: Outcome, { controller, metrics, log, seconds, toldBefore }: Settling): Settled {
  const { name, why, next } = outcome;
  metrics.reconciles.inc({ controller, outcome: name });
  metrics.reconcileSeconds.observe({ controller, outcome: name }, seconds);
  for (const { reason } of why) metrics.reasons.inc({ controller, reason });
  const told = JSON.stringify([name, ...why.map(({ reason, text }) => [reason, text])]);
  const news = told !== toldBefore;
  const passing = name === "stale" || name === "overdue" || name === "unled";
  if (name === "failed" || name === "isolated") tell(log, "reconcile failed", why);
  else if (name === "refused" && news) tell(log, "changes refused", why);
  else if (name === "quiet" && news && why.length > 0) tell(log, "worth knowing", why);
  else if (name === "blind" && news) tell(log, "kind missing", why);
  else log.debug("reconciled", { outcome: name, next });
  return { verdict: next, told: passing ? toldBefore : told, news: news && !passing, passing };
}

function tell(log: Log, message: string, why: readonly Explanation[]): void {
  const [first, ...more] = why;
  if (first === undefined) return;
  const { reason, text, runbook, logLevel, stack } = first;
  log[logLevel](message, {
    reason,
    message: text,
    runbook,
    ...(stack === undefined ? {} : { stack }),
    ...(more.length === 0 ? {} : { more: more.map((other) => other.text) }),
  });
}
