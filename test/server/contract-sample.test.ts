import { expect, test } from "vitest";
import { describeAction } from "../../src/core/describe-action.ts";
import { factsOf } from "../../src/core/reasons.ts";
import { sampleDetail, sampleLog, sampleObjects } from "./contract-sample.ts";

test("the samples have an object of every health and an entry of every result", () => {
  expect(new Set(sampleObjects.map(({ health }) => health))).toEqual(
    new Set(["degraded", "refused", "progressing", "healthy", "unknown"]),
  );
  expect(new Set(sampleLog.map(({ result }) => result))).toEqual(new Set(["refused", "done", "failed", "skipped"]));
  expect(new Set(sampleDetail.conditions.map(({ status }) => status))).toEqual(new Set(["True", "False", "Unknown"]));
  const [plan] = sampleDetail.plans;
  expect([plan?.actions.length, plan?.waits.length, plan?.refusals.length]).toEqual([1, 1, 1]);
});

test("the samples word actions and reasons as real answers do", () => {
  const publish = {
    kind: "publish",
    name: "cluster",
    controlPlane: "SingleReplica",
    lane: { part: "status" },
  } as const;
  const words = describeAction({ ...publish, because: "TopologyEmpty" });
  expect(sampleLog.filter(({ action }) => action === "publish").map((entry) => entry.words)).toEqual([words, words]);
  expect(sampleDetail.plans[0]?.actions.map((action) => action.words)).toEqual([words]);
  expect(sampleDetail.events.map(({ summary }) => summary)).toEqual([factsOf("TopologyDrift").summary]);
});
