import { describe, expect, test } from "vitest";
import { nearest } from "./nearest.ts";

describe("the nearest known word", () => {
  const known = ["leaderElection", "health", "guards", "log"];

  test.each([
    ["leaderelection", "leaderElection"],
    ["leaderElections", "leaderElection"],
    ["gaurds", "guards"],
    ["logs", "log"],
  ])("to %s is %s", (word, meant) => {
    expect(nearest(word, known)).toBe(meant);
  });

  test("is none when nothing is near", () => {
    expect(nearest("wibble", known)).toBeUndefined();
    expect(nearest("x", [])).toBeUndefined();
  });
});
