import { expect, test } from "vitest";
import { MainstayError } from "../../core/errors.ts";
import { allReasons, type Reason } from "../../core/reasons.ts";
import { withLaterLook } from "./later-look.ts";
import { gone, type OutcomeName, outcomeOfError, overdue } from "./outcome.ts";

const names: readonly OutcomeName[] = [
  "quiet",
  "acted",
  "waiting",
  "refused",
  "failed",
  "isolated",
  "stale",
  "blind",
  "unled",
];

test.each(names)("%s: an object that exists is looked at again", (name) => {
  expect(withLaterLook({ name, next: "done" })).not.toBe("done");
  expect(withLaterLook({ name, next: { againAfterMs: 7 } })).toEqual({ againAfterMs: 7 });
});

test("whatever made a whole round fail, it is tried again", () => {
  for (const [name] of allReasons()) {
    const outcome = outcomeOfError(new MainstayError({ reason: name as Reason, message: "" }));
    expect([name, withLaterLook(outcome)]).not.toEqual([name, "done"]);
  }
});

test("nobody looks for an object that is gone, nor beside a run that has not ended", () => {
  expect([withLaterLook(gone), withLaterLook(overdue)]).toEqual(["done", "done"]);
});
