import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ageOf, humanDuration } from "./human-duration.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe("an age in a table", () => {
  it.each([
    [0, "0s"],
    [-900, "0s"],
    [-3 * second, "<invalid>"],
    [119 * second, "119s"],
    [2 * minute, "2m"],
    [9 * minute + 59 * second, "9m59s"],
    [10 * minute + 59 * second, "10m"],
    [179 * minute, "179m"],
    [3 * hour, "3h"],
    [7 * hour + 59 * minute, "7h59m"],
    [8 * hour + 59 * minute, "8h"],
    [47 * hour, "47h"],
    [3 * day + 4 * hour, "3d4h"],
    [8 * day + 4 * hour, "8d"],
    [729 * day, "729d"],
    [2 * 365 * day, "2y"],
    [3 * 365 * day + 5 * day, "3y5d"],
    [9 * 365 * day + 5 * day, "9y"],
  ])("writes %d ms as %s", (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it("never takes more than two units", () => {
    fc.assert(fc.property(fc.nat(), (seconds) => /^(\d+[smhdy]){1,2}$/.test(humanDuration(seconds * 1000))));
  });

  it("is unknown without a timestamp", () => {
    expect([ageOf(undefined, 0), ageOf("yesterday", 0), ageOf("1970-01-01T00:00:00Z", 5000)]).toEqual([
      "<unknown>",
      "<unknown>",
      "5s",
    ]);
  });
});
