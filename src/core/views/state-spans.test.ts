import { describe, expect, test } from "vitest";
import { recentSpans, type State, withState } from "./state-spans.ts";

const minute = 60_000;
const at = (ms: number) => new Date(ms).toISOString();
const healthy: State = { health: "healthy" };
const lost: State = { health: "degraded" };
const left: State = { health: "degraded", withdrawn: "out of DNS" };

describe("how something was", () => {
  test("is one span for as long as nothing changes, and another from the moment it does", () => {
    let spans = withState([], healthy, 0);
    spans = withState(spans, healthy, minute);
    spans = withState(spans, lost, 2 * minute);
    spans = withState(spans, left, 3 * minute);
    expect(spans).toEqual([
      { health: "healthy", from: at(0), to: at(2 * minute) },
      { health: "degraded", from: at(2 * minute), to: at(3 * minute) },
      { health: "degraded", withdrawn: "out of DNS", from: at(3 * minute) },
    ]);
  });

  test("begins where the object says that it began, and never in the future", () => {
    expect(withState([], lost, 10 * minute, 4 * minute)).toEqual([{ ...lost, from: at(4 * minute) }]);
    expect(withState([], lost, minute, 4 * minute)).toEqual([{ ...lost, from: at(minute) }]);
  });

  test("is forgotten an hour after it ended, and never while it lasts", () => {
    const spans = withState(withState([], lost, 0), healthy, minute);
    expect(recentSpans(spans, 60 * minute)).toHaveLength(2);
    expect(recentSpans(spans, 61 * minute)).toEqual([{ ...healthy, from: at(minute) }]);
    expect(recentSpans(spans, 600 * minute)).toHaveLength(1);
  });
});
