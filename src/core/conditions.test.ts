import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Condition } from "../apis/kube/kube-object.ts";
import { completeConditions, conditionsOf, kubeMicroTime, kubeTime, type ReportedCondition } from "./conditions.ts";

const noon = Date.UTC(2026, 5, 1, 12);
const reported = (type: string, status: Condition["status"], message = ""): ReportedCondition => ({
  type,
  status,
  reason: "AsExpected",
  message,
});

describe("completing conditions", () => {
  test("keeps the transition time while the status stays, whatever the message says", () => {
    const [before] = completeConditions([reported("Reachable", "True", "one")], { previous: [], nowMs: noon });
    const after = completeConditions([reported("Reachable", "True", "two")], {
      previous: before ? [before] : [],
      nowMs: noon + 60_000,
    });
    expect(after).toMatchObject([{ message: "two", lastTransitionTime: "2026-06-01T12:00:00Z" }]);
  });

  test("moves the transition time when the status changes", () => {
    const previous = completeConditions([reported("Reachable", "True")], { previous: [], nowMs: noon });
    const after = completeConditions([reported("Reachable", "False")], { previous, nowMs: noon + 60_000 });
    expect(after).toMatchObject([{ status: "False", lastTransitionTime: "2026-06-01T12:01:00Z" }]);
  });

  test("speaks about the generation of the object, unless a condition names its own", () => {
    const own = { ...reported("B", "True"), observedGeneration: 3 };
    const done = completeConditions([reported("A", "True"), own], { previous: [], generation: 7, nowMs: noon });
    expect(done.map(({ observedGeneration }) => observedGeneration)).toEqual([7, 3]);
  });

  const types = fc.constantFrom("A", "B", "C");
  const statuses = fc.constantFrom("True" as const, "False" as const, "Unknown" as const);
  const lists = fc.array(
    fc.tuple(types, statuses).map(([type, status]) => reported(type, status)),
    { maxLength: 5 },
  );

  test("yields one entry per reported type and none of its own", () => {
    fc.assert(
      fc.property(lists, lists, (first, second) => {
        const previous = completeConditions(first, { previous: [], nowMs: noon });
        const done = completeConditions(second, { previous, nowMs: noon + 1_000 });
        expect(done.map(({ type }) => type)).toEqual([...new Set(second.map(({ type }) => type))]);
      }),
    );
  });

  test("changes nothing the second time", () => {
    fc.assert(
      fc.property(lists, (list) => {
        const once = completeConditions(list, { previous: [], nowMs: noon });
        expect(completeConditions(list, { previous: once, nowMs: noon + 5_000 })).toEqual(once);
      }),
    );
  });

  test("moves a transition time exactly when the status of that type changed", () => {
    fc.assert(
      fc.property(lists, lists, (first, second) => {
        const previous = completeConditions(first, { previous: [], nowMs: noon });
        for (const condition of completeConditions(second, { previous, nowMs: noon + 1_000 })) {
          const earlier = previous.find(({ type }) => type === condition.type);
          const moved = condition.lastTransitionTime === kubeTime(noon + 1_000);
          expect(moved).toBe(earlier?.status !== condition.status);
        }
      }),
    );
  });
});

describe("reading conditions", () => {
  test("passes over what is none", () => {
    expect(conditionsOf({ status: { conditions: [null, 3, { type: "A" }, reported("B", "True")] } })).toMatchObject([
      { type: "B" },
    ]);
    expect(conditionsOf({ status: { conditions: "no" } })).toEqual([]);
    expect(conditionsOf(undefined)).toEqual([]);
  });
});

describe("times", () => {
  test("have the precision Kubernetes parses", () => {
    expect(kubeTime(noon + 999)).toBe("2026-06-01T12:00:00Z");
    expect(kubeMicroTime(noon + 999)).toBe("2026-06-01T12:00:00.999000Z");
  });
});
