import { expect, test } from "vitest";
import { emptyPlan, type Plan } from "../../core/plan.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import type { WorldView } from "./checker.ts";
import { plansDeterministic } from "./plans-deterministic.ts";
import { createSimEvents } from "./sim-events.ts";

/** Which of the plans were made again, by their place. */
function madeAgain(plans: readonly Plan[], other: (plan: Plan) => Plan = (plan) => plan) {
  const events = createSimEvents();
  const broken: string[] = [];
  plansDeterministic.watch(events as unknown as WorldView, (how) => void broken.push(how));
  const places: number[] = [];
  for (const [place, plan] of plans.entries()) {
    const again = (): Plan => {
      places.push(place);
      return other(plan);
    };
    const process = { name: "mgr-1" } as SimProcess;
    events.emit("planned", { process, feature: "f", key: { name: "a" }, plan, again });
  }
  return { places, broken };
}

const waiting: Plan = {
  ...emptyPlan,
  waits: [{ reason: "AsExpected", message: "for a moment", recheckAfterMs: 1_000 }],
};

test("a plan is made again when it is another than before, and every fifth time while it stays the same", () => {
  expect(madeAgain([emptyPlan, emptyPlan, waiting, emptyPlan]).places).toEqual([0, 2, 3]);
  expect(madeAgain(Array.from({ length: 12 }, () => emptyPlan)).places).toEqual([0, 5, 10]);
});

test("what the order of facts decides is said: actions, or else the words that differ", () => {
  const [words] = madeAgain([waiting], () => emptyPlan).broken;
  expect(words).toMatch(/^f a: …\S*"waits":\[\{.*… or ….*"waits":\[\].*…, by the order of facts$/);
  const acting: Plan = {
    ...emptyPlan,
    actions: [{ kind: "create-thing", step: "create-thing a", words: "create a", because: "AsExpected" }],
  };
  expect(madeAgain([acting], () => emptyPlan).broken).toEqual(["f a: create-thing or nothing, by the order of facts"]);
});
