// One call puts a job's planner through every law that it does not leave out.

import { describe, expect, test } from "vitest";
import type { Action } from "../../../src/core/plan.ts";
import { lawChecks } from "./law-checks.ts";
import { isLeftOut, type LawDetails, type LawName, type PlannerUnderTest } from "./planner-under-test.ts";

const promises: Readonly<Record<LawName, string>> = {
  quiet: "quiet: whatever happened, it comes to rest at what is wanted and stays there",
  deterministic: "deterministic: the order of what was seen changes nothing",
  makeBeforeBreak: "make before break: no traffic path is interrupted on the way from what was to what is wanted",
  neverLast: "never last: no action takes the last way in",
  ownOrLeave: "own or leave: nothing that is not ours changes",
  crashAnywhere: "crash anywhere: dying after any action ends where not dying ends, with nothing left over",
  deleteIsDesiringNothing: "delete is desiring nothing: in the end nothing of ours remains",
};

/** A law over many random histories takes a while on a busy machine. */
const patienceMs = 120_000;

export function planLaws<World, Event, Seen, A extends Action>(planner: PlannerUnderTest<World, Event, Seen, A>): void {
  describe("the laws of planning, over random histories", () => {
    for (const law of Object.keys(promises) as LawName[]) addTest(planner, law);
  });
}

function addTest<Law extends LawName, World, Event, Seen, A extends Action>(
  planner: PlannerUnderTest<World, Event, Seen, A>,
  law: Law,
): void {
  const details = planner.laws[law] as LawDetails<World, Seen, A>[Law];
  const [name] = promises[law].split(":");
  const [title, judge] = isLeftOut(details)
    ? [`${name} does not apply: ${details.leftOut}`, () => expect(details.leftOut).not.toBe("")]
    : [promises[law], () => lawChecks[law](planner, details)];
  test(title, judge, patienceMs);
}
