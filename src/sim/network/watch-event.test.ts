import { describe, expect, test } from "vitest";
import { describeEvent, foldEvents, isBookmark, versionOfEvent } from "./watch-event.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function event(type: string, uid: string, resourceVersion: string): Uint8Array {
  const metadata = { name: "a", namespace: "lab", uid, resourceVersion };
  return bytes(`${JSON.stringify({ type, object: { metadata } })}\n`);
}

/** What the client gets instead of both. */
function folded(first: Uint8Array, second: Uint8Array): string | undefined {
  const one = foldEvents(first, second);
  return one === undefined ? undefined : `${describeEvent(one)} at ${versionOfEvent(one)}`;
}

describe("two events of a watch as one", () => {
  test("is the later state; an object that nobody knew yet is added with it", () => {
    expect(folded(event("MODIFIED", "u", "1"), event("MODIFIED", "u", "2"))).toBe("MODIFIED lab/a at 2");
    expect(folded(event("ADDED", "u", "1"), event("MODIFIED", "u", "2"))).toBe("ADDED lab/a at 2");
    expect(folded(event("MODIFIED", "u", "1"), event("DELETED", "u", "2"))).toBe("DELETED lab/a at 2");
  });

  test("is nothing that a server could not say: no end is skipped, no other object is touched", () => {
    expect(folded(event("DELETED", "u", "1"), event("ADDED", "v", "2"))).toBeUndefined();
    expect(folded(event("ADDED", "u", "1"), event("DELETED", "u", "2"))).toBeUndefined();
    expect(folded(event("MODIFIED", "u", "1"), event("MODIFIED", "v", "2"))).toBeUndefined();
    expect(folded(event("MODIFIED", "u", "1"), event("BOOKMARK", "", "2"))).toBeUndefined();
  });

  test("is nothing with a torn one", () => {
    const torn = event("MODIFIED", "u", "2").subarray(0, 20);
    expect(folded(event("MODIFIED", "u", "1"), torn)).toBeUndefined();
  });
});

test("a bookmark is known from a change", () => {
  expect([isBookmark(event("BOOKMARK", "", "1")), isBookmark(event("MODIFIED", "u", "1"))]).toEqual([true, false]);
});
