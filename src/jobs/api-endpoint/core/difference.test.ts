import { describe, expect, test } from "vitest";
import { difference, isEmpty, toAskFor } from "./difference.ts";

describe("the difference between what is desired and what is there", () => {
  test("is what does not fit, in the order in which it is desired; nothing else is touched", () => {
    const observed = { name: "old", limit: 1, list: ["a", "b"], theirs: "stays" };
    expect(Object.entries(difference({ limit: -1, name: "new", list: ["a", "b"] }, observed))).toEqual([
      ["limit", -1],
      ["name", "new"],
    ]);
  });

  test("is empty when everything is there", () => {
    expect(isEmpty(difference({ name: "same", list: ["a"] }, { name: "same", list: ["a"] }))).toBe(true);
  });

  test("holds a list as a whole, and a field that is not there", () => {
    expect(difference({ list: ["a", "b"], limit: 3 }, { list: ["b", "a"] })).toEqual({ list: ["a", "b"], limit: 3 });
  });

  test("keeps the tags of others beside ours", () => {
    const desired = { tags: ["mainstay-owner=x", "mainstay-role=pool"] };
    expect(difference(desired, { tags: ["theirs", "mainstay-owner=x"] })).toEqual({
      tags: ["theirs", "mainstay-owner=x", "mainstay-role=pool"],
    });
    expect(difference(desired, { tags: ["mainstay-role=pool", "theirs", "mainstay-owner=x"] })).toEqual({});
  });
});

test("what a new one has by itself is not asked for", () => {
  expect(toAskFor({ name: "n", limit: -1 }, { limit: -1 })).toEqual({ name: "n" });
  expect(toAskFor({ name: "n", limit: 5 }, { limit: -1 })).toEqual({ name: "n", limit: 5 });
});
