import { expect, test } from "vitest";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import type { Outcome } from "../round/outcome.ts";
import { failuresInARow, roundConditionChange, roundFailed } from "./failed-rounds.ts";

const object = (...conditions: readonly object[]): KubeObject & { readonly status: object } => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name: "a" },
  status: { conditions },
});
const outcome = (name: Outcome["name"], reason: string, severity = "error"): Outcome =>
  ({ name, why: [{ reason, severity, text: "words" }] }) as unknown as Outcome;
const reported = (reason: string) => object({ type: roundFailed, status: "True", reason });

test("rounds that end before they can report are counted in a row", () => {
  expect(failuresInARow(1, outcome("failed", "UnexpectedError"))).toBe(2);
  expect(failuresInARow(1, outcome("isolated", "UnexpectedError"))).toBe(2);
  expect(failuresInARow(5, outcome("converged" as Outcome["name"], "AsExpected"))).toBe(0);
});

test.each([
  ["one failure may be chance", outcome("failed", "UnexpectedError"), 1, object(), undefined],
  ["two are reported", outcome("failed", "UnexpectedError"), 2, object(), "set"],
  [
    "what is reported already is not reported again",
    outcome("failed", "UnexpectedError"),
    3,
    reported("UnexpectedError"),
    undefined,
  ],
  ["nor in other words", outcome("failed", "InvariantViolated"), 3, reported("UnexpectedError"), undefined],
  ["an isolated object is reported at once", outcome("isolated", "InvariantViolated"), 1, object(), "set"],
  ["a lost race is not", outcome("failed", "WriteConflict", "info"), 9, object(), undefined],
  ["that the API server is away is not", outcome("failed", "ApiUnreachable"), 9, object(), undefined],
  [
    "one that ends well takes it back",
    outcome("converged" as Outcome["name"], ""),
    0,
    reported("UnexpectedError"),
    "remove",
  ],
  ["and writes nothing where nothing is reported", outcome("converged" as Outcome["name"], ""), 0, object(), undefined],
] as const)("%s", (_what, ended, failures, one, expected) => {
  expect(roundConditionChange(ended, failures, one)).toBe(expected);
});
