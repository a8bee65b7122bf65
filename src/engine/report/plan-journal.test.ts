import { describe, expect, test } from "vitest";
import { services } from "../../apis/kube/builtin-kinds.ts";
import type { Action, Plan } from "../../core/plan.ts";
import { emptyPlan } from "../../core/plan.ts";
import type { ActionOutcome } from "../feature.ts";
import { gone, type Outcome, outcomeOfError, outcomeOfRound, stale } from "../round/outcome.ts";
import { PlanJournal, type PlanJournalOptions } from "./plan-journal.ts";

const key = { name: "web", namespace: "shop" };
const action: Action = { kind: "add-members", because: "ObjectNotFound", lane: { part: "north" }, removes: "nothing" };

function journal(options: PlanJournalOptions = {}) {
  const kept = new PlanJournal(options);
  let nowMs = 0;
  const record = (outcome: Outcome, name = "web"): void => {
    nowMs += 1_000;
    kept.record({ controller: "gateway", kind: services, key: { ...key, name }, epoch: 3, nowMs, outcome });
  };
  const lines = (): readonly string[] => kept.log.map(({ action: kind, result }) => `${kind} ${result}`);
  return { kept, record, lines };
}

const round = (plan: Partial<Plan>, outcomes: readonly ActionOutcome[] = []): Outcome =>
  outcomeOfRound({ plan: { ...emptyPlan, ...plan }, outcomes, laneRetryMs: undefined, actedRounds: 0 });
const done = round({ actions: [action] }, [{ action, result: "done" }]);
const waiting = round({ waits: [{ reason: "ApiTimeout", recheckAfterMs: 1_000, message: "is being built" }] });
const refused = round({ refusals: [{ reason: "DeletesForbidden", message: "not done" }] });

describe("the plan journal", () => {
  test("keeps the latest round of a key and a line for each thing done", () => {
    const { kept, record } = journal();
    record(done);
    expect(kept.plansFor(services, key)).toMatchObject([
      {
        controller: "gateway",
        outcome: "acted",
        epoch: 3,
        actions: [{ action: "add-members", result: "done", lane: "north" }],
      },
    ]);
    expect(kept.log).toMatchObject([{ id: 1, because: "ObjectNotFound", result: "done", removes: "nothing" }]);
  });

  test("says a wait or a refusal once, however often it is looked at, and again when it comes back", () => {
    const { record, lines } = journal();
    for (const outcome of [waiting, waiting, refused, refused, waiting]) record(outcome);
    expect(lines()).toEqual(["wait waiting", "refuse refused", "wait waiting"]);
  });

  test("does not call refused what is only reported", () => {
    const { record, lines } = journal();
    record(round({ refusals: [{ reason: "MembersUnhealthy", message: "two do not answer" }] }));
    expect(lines()).toEqual(["notice noticed"]);
  });

  test("says an action each time it is done or fails", () => {
    const { record, lines } = journal();
    const failed = round({ actions: [action] }, [
      { action, result: "failed", reason: "ApiTimeout", message: "no answer" },
    ]);
    for (const outcome of [failed, failed, done]) record(outcome);
    expect(lines()).toEqual(["add-members failed", "add-members failed", "add-members done"]);
  });

  test("remembers why a whole round failed", () => {
    const { kept, record } = journal();
    record(outcomeOfError(new Error("boom")));
    expect(kept.plansFor(services, key)).toMatchObject([
      { outcome: "failed", troubles: [{ reason: "UnexpectedError" }] },
    ]);
  });

  test("does not take a passing moment for a new plan", () => {
    const { kept, record } = journal();
    record(waiting);
    record(stale(1));
    expect(kept.plansFor(services, key)).toMatchObject([{ outcome: "waiting" }]);
  });

  test("forgets a key that is gone", () => {
    const { kept, record } = journal();
    record(waiting);
    record(gone);
    expect(kept.plansFor(services, key)).toEqual([]);
  });

  test("tells its listeners what is new, and is silent when nothing is", () => {
    const { kept, record } = journal();
    const heard: number[] = [];
    const end = kept.subscribe(({ logged }) => heard.push(logged.length));
    for (const outcome of [waiting, waiting, round({}), round({})]) record(outcome);
    end();
    record(refused);
    expect(heard).toEqual([1, 0]);
  });

  test("does not grow without bound, and ids go on", () => {
    const { kept, record } = journal({ logLimit: 5, keyLimit: 3 });
    for (let index = 0; index < 20; index += 1) record(done, `web-${index}`);
    expect(kept.log.map(({ id }) => id)).toEqual([16, 17, 18, 19, 20]);
    const known = Array.from(
      { length: 20 },
      (_, index) => kept.plansFor(services, { ...key, name: `web-${index}` }).length,
    );
    expect(known.reduce((sum, count) => sum + count, 0)).toBe(3);
  });

  test("holds no content of objects: an action's nested data and secrets stay out", () => {
    const { kept, record } = journal();
    const loaded = { ...action, password: "secret-marker", object: { data: "secret-marker" } } as Action;
    record(round({ actions: [loaded] }, [{ action: loaded, result: "done" }]));
    expect(JSON.stringify([kept.log, kept.plansFor(services, key)])).not.toContain("secret-marker");
  });

  test("cannot be changed by those who read it", () => {
    const { kept, record } = journal();
    record(done);
    expect(Object.isFrozen(kept.log[0])).toBe(true);
    expect(Object.isFrozen(kept.plansFor(services, key)[0])).toBe(true);
  });
});
