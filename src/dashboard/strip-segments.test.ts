import { expect, test } from "vitest";
import type { PartStrip, StateSpan } from "../core/views/object-view.ts";
import { currentState, latestChanges, stripSegments, unknownBefore } from "./strip-segments.ts";

const nowMs = Date.parse("2026-01-01T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
const strip = (...spans: readonly StateSpan[]): PartStrip => ({ name: "az2", spans });

test("the last hour is drawn from its beginning to now, and what is older is cut off", () => {
  const segments = stripSegments(
    strip(
      { from: minutesAgo(200), to: minutesAgo(90), health: "unknown" },
      { from: minutesAgo(90), to: minutesAgo(15), health: "healthy" },
      { from: minutesAgo(15), health: "degraded", withdrawn: "out of DNS" },
    ),
    nowMs,
  );
  expect(segments.map(({ left, width, health, withdrawn }) => [left, width, health, withdrawn])).toEqual([
    [0, 0.75, "healthy", false],
    [0.75, 0.25, "degraded", true],
  ]);
  expect(segments.map(({ words }) => words.replace(/\d\d:\d\d:\d\d/g, "…"))).toEqual([
    "Healthy from … to …",
    "Degraded, out of DNS from … until now",
  ]);
});

test("what was before stands in words, the latest first and not all of a restless hour", () => {
  const spans = [50, 40, 30, 20].map(
    (minutes, index): StateSpan => ({
      from: minutesAgo(minutes),
      to: minutesAgo(minutes - 10),
      health: index % 2 === 0 ? "healthy" : "degraded",
    }),
  );
  const segments = stripSegments(strip(...spans, { from: minutesAgo(10), health: "healthy" }), nowMs);
  expect(latestChanges(segments)).toEqual([segments[3]?.words, segments[2]?.words]);
  expect(latestChanges(segments.slice(-1))).toEqual([]);
});

test("how a part is now stands in words", () => {
  const words = currentState(strip({ from: minutesAgo(15), health: "degraded", withdrawn: "out of DNS" }))?.words;
  expect(words).toBe("Degraded, out of DNS");
  expect(currentState(strip())).toBeUndefined();
});

test("what is not known of the hour is said with the time before which nothing is known", () => {
  const before = (...spans: readonly StateSpan[]) => unknownBefore(stripSegments(strip(...spans), nowMs), nowMs);
  expect(before({ from: minutesAgo(15), health: "healthy" })).toMatch(/^Not known before \d\d:45$/);
  expect(before({ from: minutesAgo(90), health: "healthy" })).toBeUndefined();
  expect(before()).toBeUndefined();
});
