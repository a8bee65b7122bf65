import { describe, expect, test } from "vitest";
import { quietLog } from "../../../test/support/quiet-log.ts";
import { InvariantViolation, MainstayError } from "../../core/errors.ts";
import { explain } from "../../core/explain.ts";
import { KubeError } from "../../core/kube-error.ts";
import { emptyPlan, type Plan } from "../../core/plan.ts";
import { allReasons, type Reason } from "../../core/reasons.ts";
import { createMetrics } from "../report/metrics.ts";
import { type Outcome, outcomeOfError, outcomeOfRound, recordOutcome } from "./outcome.ts";

const action = { kind: "do", because: "ObjectNotFound" } as const;
const round = (plan: Partial<Plan>, result?: "done" | "failed", laneRetryMs?: number, actedRounds = 1): Outcome => {
  const outcome =
    result === "failed"
      ? { action, result, reason: "ApiTimeout" as const, message: "no answer" }
      : { action, result: "done" as const };
  return outcomeOfRound({
    plan: { ...emptyPlan, ...plan },
    outcomes: result === undefined ? [] : [outcome],
    laneRetryMs,
    actedRounds,
  });
};

describe("a round", () => {
  test("with nothing to do is quiet and not tried again", () => {
    expect(round({})).toMatchObject({ name: "quiet", next: "done" });
  });

  test("that acted is planned again at once, and slower when it never ends", () => {
    expect(round({}, "done").next).toEqual({ againAfterMs: 0 });
    expect(round({}, "done", undefined, 40).next).toEqual({ againAfterMs: 30_000 });
  });

  test("that acted on a slow world is planned again when that may show, and is held until then", () => {
    const outcomes = [{ action, result: "done" as const }];
    const acted = { plan: emptyPlan, outcomes, laneRetryMs: undefined, actedRounds: 1, settleMs: 2_000 };
    expect(outcomeOfRound(acted)).toMatchObject({ next: { againAfterMs: 2_000 }, holdMs: 2_000 });
    expect(outcomeOfRound({ ...acted, outcomes: [] })).toMatchObject({ next: "done", holdMs: 0 });
  });

  test("that waits is looked at after its shortest wait", () => {
    const waits = [5_000, 2_000].map((recheckAfterMs) => ({ reason: "ObjectNotFound" as const, recheckAfterMs }));
    expect(round({ waits })).toMatchObject({ name: "waiting", next: { againAfterMs: 2_000 } });
  });

  test("does not spin on a wait of nothing", () => {
    expect(round({ waits: [{ reason: "ObjectNotFound", recheckAfterMs: 0 }] }).next).toEqual({ againAfterMs: 50 });
  });

  test.each([4.7e-10, 0, -5])(
    "does not spin where a rounded difference of times leaves %d ms until the next look",
    (leftMs) => {
      const quiet = { plan: emptyPlan, outcomes: [], laneRetryMs: undefined, actedRounds: 0, observeAgainMs: leftMs };
      expect(outcomeOfRound(quiet).next).toEqual({ againAfterMs: 50 });
      expect(round({}, "failed", leftMs).next).toEqual({ againAfterMs: 50 });
    },
  );

  test("that only has something to tell refused nothing, and says it once", () => {
    const noticed = round({ refusals: [{ reason: "MembersUnhealthy", message: "two do not answer" }] });
    expect(noticed).toMatchObject({ name: "quiet", next: { againAfterMs: 60_000 } });
    const log = quietLog();
    const common = { controller: "x", metrics: createMetrics(), log, seconds: 1 };
    const { summary } = recordOutcome(noticed, { ...common, lastSummary: "" });
    recordOutcome(noticed, { ...common, lastSummary: summary });
    expect(log.lines.filter(({ level }) => level !== "debug")).toMatchObject([
      { level: "warn", message: "notice", data: { reason: "MembersUnhealthy" } },
    ]);
  });

  test("whose lane failed is tried when the lane may be", () => {
    expect(round({}, "failed", 700)).toMatchObject({ name: "failed", next: { againAfterMs: 700 } });
  });

  test("whose lanes failed without a time of their own is backed off as a whole, unless only a change can help", () => {
    const failed = (reason: "ReconcileDeadlineExceeded" | "ObjectInvalid"): Outcome =>
      outcomeOfRound({
        plan: emptyPlan,
        outcomes: [{ action, result: "failed", reason, message: "" }],
        laneRetryMs: undefined,
        actedRounds: 0,
      });
    expect(failed("ReconcileDeadlineExceeded").next).toBe("retry");
    expect(failed("ObjectInvalid").next).toBe("done");
  });

  test("of a feature whose world does not tell of changes is looked at again, however quiet, but never later than it asked", () => {
    const observedAgain = (plan: Partial<Plan>): Outcome =>
      outcomeOfRound({
        plan: { ...emptyPlan, ...plan },
        outcomes: [],
        laneRetryMs: undefined,
        actedRounds: 0,
        observeAgainMs: 60_000,
      });
    const waitOf = (recheckAfterMs: number) => ({ waits: [{ reason: "ObjectNotFound" as const, recheckAfterMs }] });
    expect(observedAgain({}).next).toEqual({ againAfterMs: 60_000 });
    expect(observedAgain({ refusals: [{ reason: "DeletesForbidden", message: "" }] }).next).toEqual({
      againAfterMs: 60_000,
    });
    expect(observedAgain(waitOf(2_000)).next).toEqual({ againAfterMs: 2_000 });
    expect(observedAgain(waitOf(90_000)).next).toEqual({ againAfterMs: 60_000 });
  });

  test("with refusals that only a change can help waits for one", () => {
    expect(round({ refusals: [{ reason: "DeletesForbidden", message: "" }] })).toMatchObject({
      name: "refused",
      next: "done",
    });
    expect(round({ refusals: [{ reason: "KindNotServed", message: "" }] }).next).toEqual({ againAfterMs: 60_000 });
  });
});

describe("an error of the whole key", () => {
  test("is followed by what its reason's retry class says", () => {
    for (const [name, { retry }] of allReasons()) {
      const reason = name as Reason;
      if (reason === "LeadershipLost") continue;
      const { next } = outcomeOfError(new MainstayError({ reason, message: "" }));
      const expected = { backoff: "retry", wait: { againAfterMs: 30_000 }, "on-change": "done" }[retry];
      expect({ reason, next }).toEqual({ reason, next: expected });
    }
  });

  test("waits as long as the server asks for", () => {
    const error = new KubeError({ code: "TooManyRequests", message: "", retryAfterMs: 9_000 });
    expect(outcomeOfError(error).next).toEqual({ againAfterMs: 9_000 });
  });

  test("isolates the key when an invariant was broken, and backs off when nobody knows what it was", () => {
    expect(outcomeOfError(new InvariantViolation("x"))).toMatchObject({ name: "isolated", next: "done" });
    expect(outcomeOfError(new TypeError("x"))).toMatchObject({ name: "failed", next: "retry" });
  });
});

describe("recordOutcome", () => {
  const bench = () => ({
    controller: "test",
    metrics: createMetrics(),
    log: quietLog(),
    seconds: 0.1,
    lastSummary: "",
  });

  test("counts the outcome and its reasons", async () => {
    const context = bench();
    recordOutcome(outcomeOfError(new MainstayError({ reason: "PermissionDenied", message: "no" })), context);
    const text = await context.metrics.text();
    expect(text).toContain('mainstay_reconciles_total{controller="test",outcome="failed"} 1');
    expect(text).toContain('mainstay_reasons_total{controller="test",reason="PermissionDenied"} 1');
  });

  test("writes one line for a failed reconcile, at the level of its severity", () => {
    const context = bench();
    recordOutcome(outcomeOfError(new MainstayError({ reason: "PermissionDenied", message: "no" })), context);
    expect(context.log.lines).toEqual([
      {
        level: "error",
        message: "reconcile failed",
        data: { reason: "PermissionDenied", message: "no", runbook: "mainstay runbook PermissionDenied" },
      },
    ]);
  });

  test("says where an error came from that nobody foresaw", () => {
    const context = bench();
    recordOutcome(outcomeOfError(new TypeError("oops")), context);
    expect(context.log.lines[0]?.data).toMatchObject({ reason: "UnexpectedError", message: "TypeError: oops" });
    expect(context.log.lines[0]?.data?.["stack"]).toContain("outcome.test.ts");
  });

  test("says a refusal once", () => {
    const context = bench();
    const refused: Outcome = { name: "refused", next: "done", why: [explain("DeletesForbidden", "kept")] };
    const { summary, isNew } = recordOutcome(refused, context);
    expect(isNew).toBe(true);
    expect(recordOutcome(refused, { ...context, lastSummary: summary }).isNew).toBe(false);
    expect(context.log.lines.filter(({ level }) => level === "warn")).toHaveLength(1);
  });

  test("keeps the last summary through outcomes that say nothing about the key", () => {
    const context = { ...bench(), lastSummary: "something" };
    expect(recordOutcome({ name: "stale", next: "retry", why: [] }, context)).toMatchObject({
      summary: "something",
      isNew: false,
    });
  });
});
