import { describe, expect, test } from "vitest";
import type { Health } from "../../core/views/object-view.ts";
import { healthSummary } from "./health.ts";

const objects = (...healths: readonly Health[]) => healths.map((health) => ({ health }));

describe("the sentence about all objects", () => {
  test.each([
    [[], "There is nothing to manage yet."],
    [["healthy"], "The one object is healthy."],
    [["healthy", "healthy"], "Both objects are healthy."],
    [["healthy", "healthy", "healthy"], "All 3 objects are healthy."],
    [["healthy", "progressing"], "1 of 2 objects is in progress."],
    [["degraded"], "The one object needs attention."],
    [["progressing", "progressing"], "Both objects are in progress."],
    [["refused", "refused", "unknown"], "All 3 objects need attention."],
    [
      ["healthy", "degraded", "refused", "progressing", "progressing"],
      "2 of 5 objects need attention, 2 are in progress.",
    ],
    [["unknown", "healthy"], "1 of 2 objects needs attention."],
  ] satisfies [Health[], string][])("of %j is: %s", (healths, sentence) =>
    expect(healthSummary(objects(...healths))).toBe(sentence),
  );
});
