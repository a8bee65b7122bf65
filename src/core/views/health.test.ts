import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { infrastructures } from "../../jobs/topology/apis/infrastructure.ts";
import type { PlanRecord } from "../plan-record.ts";
import { allReasons, type Word } from "../reasons.ts";
import { healthOf, healthOfReason } from "./health.ts";
import { objectSummary } from "./object-summary.ts";
import { hidden, planView, reducedLog, reducedPlan } from "./plan-view.ts";

const object = (conditions: readonly object[], generation = 1): KubeObject =>
  ({
    apiVersion: "v1",
    kind: "Thing",
    metadata: { name: "cluster", generation, resourceVersion: "7" },
    status: { conditions },
  }) as KubeObject;
const condition = (status: string, reason: Word, more: object = {}) => ({
  type: "Published",
  status,
  reason,
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
  ...more,
});
const record = (more: Partial<PlanRecord> = {}): PlanRecord => ({
  controller: "topology",
  kind: infrastructures,
  key: { name: "cluster" },
  atMs: 0,
  epoch: 1,
  revision: 1,
  outcome: "quiet",
  actions: [],
  waits: [],
  refusals: [],
  troubles: [],
  ...more,
});
const healthWith = (conditions: readonly object[], plans: readonly PlanRecord[] = [], generation = 1) =>
  objectSummary({ kind: infrastructures, object: object(conditions, generation), controllers: [], plans });

describe("an object's health", () => {
  test("is unknown until something is reported, and healthy when every promise is kept", () => {
    expect(healthWith([]).health).toBe("unknown");
    expect(healthWith([condition("True", "AsExpected")]).health).toBe("healthy");
    expect(healthWith([], [record()]).health).toBe("healthy");
  });

  test("follows the reason of a broken promise", () => {
    expect(healthWith([condition("False", "TopologyDrift")]).health).toBe("refused");
    expect(healthWith([condition("False", "TransitionPreconditionFailed")]).health).toBe("progressing");
    expect(healthWith([condition("False", "SubnetUnresolved")]).health).toBe("refused");
    expect(healthWith([condition("False", "TopologySourceInvalid")]).health).toBe("degraded");
    expect(healthWith([condition("Unknown", "PermissionDenied")]).health).toBe("unknown");
  });

  test("every reason has one, and none is healthy", () => {
    for (const reason of allReasons().keys())
      expect(["refused", "progressing", "degraded"]).toContain(healthOfReason(reason));
  });

  test("is that of the worst thing, in its words", () => {
    const worst = healthWith([
      condition("False", "TransitionPreconditionFailed", { type: "Settled" }),
      condition("False", "TopologyDrift", { type: "MatchesCluster", message: "3 nodes" }),
    ]);
    expect(worst).toMatchObject({
      health: "refused",
      reason: "TopologyDrift",
      sentence: "MatchesCluster is False: 3 nodes. You have to act: mainstay runbook TopologyDrift says how.",
    });
  });

  test("a failed action is worse than a kept promise", () => {
    const failure = { reason: "ApiUnreachable", message: "no connection" } as const;
    const failed = record({
      outcome: "failed",
      actions: [{ action: "publish", words: "publish", because: "TopologyEmpty", result: "failed", failure }],
    });
    expect(healthWith([condition("True", "AsExpected")], [failed])).toMatchObject({
      health: "degraded",
      sentence: "No connection. Mainstay waits and goes on by itself (mainstay runbook ApiUnreachable).",
    });
  });

  test("a condition about an older generation is not taken for the present", () => {
    expect(healthWith([condition("True", "AsExpected", { observedGeneration: 1 })], [], 2).health).toBe("progressing");
  });

  test("an object that is being deleted is on its way", () => {
    expect(healthOf({ conditions: [], plans: [], deleting: true }).sentence).toBe(
      "Is being deleted. Mainstay acts by itself.",
    );
  });

  test("conditions that mean trouble when they are true are read that way", () => {
    expect(healthWith([condition("False", "AsExpected", { type: "Degraded" })]).health).toBe("healthy");
    expect(healthWith([condition("True", "ApiServerError", { type: "Degraded" })]).health).toBe("degraded");
  });
});

test("the revision changes with the object and with its plans", () => {
  const first = healthWith([], [record()]).revision;
  expect(healthWith([], [record({ revision: 2 })]).revision).not.toBe(first);
});

test("what is reduced names nothing", () => {
  const names = { words: "secret-marker", message: "secret-marker" };
  const plan = record({
    actions: [
      {
        action: "delete-report",
        because: "TopologyReportOrphaned",
        words: "secret-marker",
        lane: "secret-marker",
        removes: "secret-marker",
        result: "failed",
        failure: { reason: "ApiTimeout", message: "secret-marker" },
      },
    ],
    waits: [{ reason: "ApiTimeout", message: "secret-marker", recheckAfterMs: 5, lane: "secret-marker" }],
    refusals: [{ reason: "DryRun", message: "secret-marker", lane: "secret-marker" }],
    troubles: [{ reason: "UnexpectedError", message: "secret-marker" }],
  });
  const line = {
    ...plan,
    id: 1,
    action: "refuse",
    because: "DryRun",
    result: "refused",
    lane: "secret-marker",
    removes: "secret-marker",
    ...names,
  } as const;
  const { actions: _actions, waits: _waits, refusals: _refusals, troubles: _troubles, ...logged } = line;
  expect(
    JSON.stringify([planView(reducedPlan(plan)), reducedLog(logged), reducedLog({ ...logged, action: "publish" })]),
  ).not.toContain("secret-marker");
  expect(planView(reducedPlan(plan)).actions[0]).toMatchObject({
    action: "delete-report",
    removes: hidden,
    result: "failed",
  });
});
