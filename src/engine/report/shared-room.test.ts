import { expect, test } from "vitest";
import { sharedRoom } from "./shared-room.ts";

test("many objects of one kind leave room for those of another", () => {
  expect(sharedRoom([["a1", "a2", "a3", "a4"], ["b1"], [], ["d1", "d2"]], 5)).toEqual(["a1", "a2", "b1", "d1", "d2"]);
});

test("where there is room for all, all stay, in their order", () => {
  expect(sharedRoom([["a1", "a2"], ["b1"]], 9)).toEqual(["a1", "a2", "b1"]);
  expect(sharedRoom([], 9)).toEqual([]);
});
