import { describe, expect, test } from "vitest";
import { type LabelSelector, matchesSelector } from "./label-selector.ts";

const labels = { team: "blue", tier: "prod" };

const rows: readonly (readonly [string, LabelSelector, boolean])[] = [
  ["an empty selector", {}, true],
  ["a label that fits", { matchLabels: { team: "blue" } }, true],
  ["a label of another value", { matchLabels: { team: "red" } }, false],
  ["one of two labels", { matchLabels: { team: "blue", zone: "a" } }, false],
  ["a value in the list", { matchExpressions: [{ key: "tier", operator: "In", values: ["dev", "prod"] }] }, true],
  ["a value not in the list", { matchExpressions: [{ key: "tier", operator: "In", values: ["dev"] }] }, false],
  ["a forbidden value", { matchExpressions: [{ key: "tier", operator: "NotIn", values: ["prod"] }] }, false],
  [
    "a forbidden value of an absent label",
    { matchExpressions: [{ key: "x", operator: "NotIn", values: ["y"] }] },
    true,
  ],
  ["a label that must exist", { matchExpressions: [{ key: "team", operator: "Exists" }] }, true],
  ["a label that must not exist", { matchExpressions: [{ key: "team", operator: "DoesNotExist" }] }, false],
  ["an inherited name", { matchExpressions: [{ key: "toString", operator: "Exists" }] }, false],
  ["an unknown operator", { matchExpressions: [{ key: "team", operator: "Like" }] }, false],
];

describe("a label selector", () => {
  test.each(rows)("%s", (_what, selector, fits) => {
    expect(matchesSelector(selector, labels)).toBe(fits);
  });
});
