import { expect, test } from "vitest";
import { type Action, laneName, type Plan } from "../../core/plan.ts";
import { present } from "../../core/present.ts";
import { linesByLane } from "./by-lane.ts";

const lines = ({ actions, waits, refusals }: Plan) =>
  [...actions, ...waits, ...refusals].map((one) => `  ${one.lane === undefined ? "all" : laneName(one.lane)}`);
const act = (part?: string, aspect?: string): Action => ({
  kind: "x",
  because: "AsExpected",
  ...(part === undefined ? {} : { lane: { part, ...present({ aspect }) } }),
});

test("each zone stands under its name, with what is below it, after what concerns the whole", () => {
  const plan: Plan = {
    actions: [act("az2"), act(), act("az1", "floating-ip")],
    waits: [{ reason: "LoadBalancerPending", recheckAfterMs: 1, lane: { part: "az1" } }],
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

test("a zone stands under its whole name, whatever it is called", () => {
  const plan: Plan = { actions: [act("az/2"), act("az", "floating-ip")], waits: [], refusals: [] };
  expect(linesByLane(plan, lines)).toEqual(["  az:", "    az/floating-ip", "  az/2:", "    az/2"]);
});
