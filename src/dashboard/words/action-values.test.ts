import { expect, test } from "vitest";
import { describeAction } from "../../core/describe-action.ts";
import type { Action } from "../../core/plan.ts";
import type { Word } from "../../core/reasons.ts";
import { actionValues } from "./action-values.ts";

const valuesOf = ({
  lane,
  ...action
}: {
  kind: string;
  because: Word;
  lane?: string;
  removes?: string;
  name?: string;
  zone?: string;
}) =>
  actionValues({
    ...action,
    ...(lane === undefined ? {} : { lane }),
    name: undefined,
    words: describeAction({ ...action, ...(lane === undefined ? {} : { lane: { part: lane } }) }),
    action: action.kind,
    reason: action.because,
  });

test("an action's values stand alone, without its kind, lane and reason", () => {
  expect(valuesOf({ kind: "publish", because: "TopologyEmpty", lane: "status", name: "cluster", zone: "a" })).toBe(
    "cluster (zone a)",
  );
  expect(
    valuesOf({ kind: "delete-report", because: "TopologyReportOrphaned", removes: "TopologyReport/x", name: "x" }),
  ).toBe("x");
});

test("the name of the object it is said about is not said again", () => {
  const publish = { kind: "publish", because: "TopologyEmpty", name: "cluster", zone: "a" } as const;
  const text = { words: describeAction(publish), action: "publish", reason: "TopologyEmpty" };
  expect(actionValues({ ...text, name: "cluster" })).toBe("zone a");
  expect(actionValues({ ...text, name: "clus" })).toBe("cluster (zone a)");
  const bare = {
    ...text,
    words: describeAction({ kind: "publish", because: "TopologyEmpty", name: "cluster" } as Action),
  };
  expect(actionValues({ ...bare, name: "cluster" })).toBe("");
});

test("an action without values has nothing to add", () => {
  expect(valuesOf({ kind: "publish", because: "TopologyEmpty" })).toBe("");
  expect(valuesOf({ kind: "publish", because: "TopologyEmpty", lane: "status" })).toBe("");
});
