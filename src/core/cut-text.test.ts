import { describe, expect, test } from "vitest";
import { completeConditions } from "./conditions.ts";
import { cutText, maxConditionMessage } from "./cut-text.ts";

describe("a text that does not fit", () => {
  test("keeps its beginning in whole words and says that more was cut", () => {
    const cut = cutText(`balancer blue-az1 is in ERROR, ${"and so is another ".repeat(20)}`, 90);
    expect(cut).toBe("balancer blue-az1 is in ERROR, and so is another … The rest of this message did not fit.");
  });

  test("is never longer than allowed, whatever it is made of", () => {
    for (const text of ["x".repeat(500), "😀".repeat(250), "a b ".repeat(125), " ".repeat(500)])
      for (const max of [10, 60, 61, 499]) expect(cutText(text, max).length).toBeLessThanOrEqual(max);
    expect(cutText("😀".repeat(250), 61)).toMatch(/^(😀)+ …/u);
  });

  test("that fits stays as it is", () => {
    expect(cutText("as it is", 8)).toBe("as it is");
  });
});

test("every condition has a message that the API server takes", () => {
  const message = "machine blue-0: its zone is not known. ".repeat(2_000);
  const [condition] = completeConditions([{ type: "Ready", status: "False", reason: "AsExpected", message }], {
    previous: [],
    nowMs: 0,
  });
  expect(condition?.message.length).toBeLessThanOrEqual(maxConditionMessage);
  expect(condition?.message).toMatch(/^machine blue-0: .*did not fit\.$/);
});
