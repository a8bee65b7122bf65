import { expect, test } from "vitest";
import type { Plan } from "../../core/plan.ts";
import { present } from "../../core/present.ts";
import { linesByLane } from "./by-lane.ts";

const lines = ({ actions, waits, refusals }: Plan) =>
  [...actions, ...waits, ...refusals].map((one) => `  ${one.lane ?? "all"}`);
const act = (lane?: string) => ({ kind: "x", because: "AsExpected", ...present({ lane }) }) as const;

test("each zone stands under its name, with what is below it, after what concerns the whole", () => {
  const plan: Plan = {
    actions: [act("az2"), act(), act("az1/floating-ip")],
    waits: [{ reason: "LoadBalancerPending", recheckAfterMs: 1, lane: "az1" }],
    refusals: [],
  };
  expect(linesByLane(plan, lines)).toEqual(["  all", "  az1:", "    az1/floating-ip", "    az1", "  az2:", "    az2"]);
});

test("a plan with one part is said without headings", () => {
  expect(linesByLane({ actions: [act("status"), act()], waits: [], refusals: [] }, lines)).toEqual([
    "  status",
    "  all",
  ]);
});
