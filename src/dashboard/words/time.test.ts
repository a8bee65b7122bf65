import { describe, expect, test } from "vitest";
import { ago, parseTime, span, timeOfDay } from "./time.ts";

describe("times in words", () => {
  test.each([
    [0, "0 s"],
    [59_999, "59 s"],
    [60_000, "1 min"],
    [3_599_999, "59 min"],
    [3_600_000, "1 h"],
    [86_400_000 * 3, "3 d"],
    [-5_000, "0 s"],
  ])("a span of %i ms reads %s", (ms, words) => expect(span(ms)).toBe(words));

  test("a moment ago is now, and so is a time from a clock that runs ahead", () => {
    expect(ago(100_000, 101_000)).toBe("just now");
    expect(ago(200_000, 101_000)).toBe("just now");
    expect(ago(41_000, 101_000)).toBe("1 min ago");
  });

  test("a time of day has two digits for each part", () => {
    expect(timeOfDay(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe("03:04:05");
  });

  test("text that is no time is nothing, and never the beginning of 1970", () => {
    expect(parseTime("2026-01-02T03:04:05Z")).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
    expect(parseTime("soon")).toBeUndefined();
    expect(parseTime(undefined)).toBeUndefined();
  });
});
