import { expect, test } from "vitest";
import { parseDurationMs } from "./duration.ts";

test.each([
  ["0s", 0],
  ["90s", 90_000],
  ["5m", 300_000],
  ["1h30m", 5_400_000],
  ["1h0m1s", 3_601_000],
])("%s is a duration", (text, ms) => {
  expect(parseDurationMs(text)).toBe(ms);
});

test.each(["", "5", "m", "5 m", "-5m", "1.5h", "5m1h", "5min", "∞"])("%j is none", (text) => {
  expect(parseDurationMs(text)).toBeUndefined();
});
