import { expect, test } from "vitest";
import { emptyPlan } from "../../../core/plan.ts";
import { oncePerObservation } from "./endpoint-plans.ts";
import type { ObservedEndpoint } from "./observe.ts";

test("a plan is made once for what was observed, and anew for another observation or another time", () => {
  let made = 0;
  const plan = oncePerObservation(() => {
    made += 1;
    return { ...emptyPlan };
  });
  const [one, other] = [{}, {}] as unknown as [ObservedEndpoint, ObservedEndpoint];
  expect(plan(one, 1)).toBe(plan(one, 1));
  expect(made).toBe(1);
  plan(other, 1);
  plan(one, 2);
  expect(made).toBe(3);
});
