import { expect, test } from "vitest";
import { sourcesFor } from "./source-rotation.ts";

const pool = ["198.19.0.1", "fd00:c::1", "198.19.0.2", "198.19.0.3", "fd00:c::2", "198.19.0.4"];

test("as many neighbouring addresses as there are sources never use the same one in the same slot", () => {
  const rotated = [100, 101, 102, 103].map((last) => sourcesFor(`198.18.0.${last}`, 4, pool));
  for (const slot of [0, 1, 2, 3]) expect(new Set(rotated.map((sources) => sources[slot])).size).toBe(4);
});

test("an address uses the sources of its own family alone, all of them", () => {
  expect(sourcesFor("fd00:e::1", 6, pool)).toEqual(["fd00:c::2", "fd00:c::1"]);
  expect(sourcesFor("fd00:e::2", 6, pool)).toEqual(["fd00:c::1", "fd00:c::2"]);
  expect(sourcesFor("fd00:e::2", 6, ["198.19.0.1"])).toEqual([]);
  expect(sourcesFor("198.18.0.7", 4, ["198.19.0.1"])).toEqual(["198.19.0.1"]);
});
