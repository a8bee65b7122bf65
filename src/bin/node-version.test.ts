import { expect, test } from "vitest";
import { nodeTooOld } from "./node-version.ts";

test.each(["22.12.0", "22.13.1", "23.0.0", "26.10.0"])("Node %s runs it", (version) => {
  expect(nodeTooOld(version, ">=22.12")).toBeUndefined();
});

test.each([
  ["20.20.2", "20.20"],
  ["22.11.0", "22.11"],
  ["8.17.0", "8.17"],
])("Node %s is too old, which is said in words, with what to do", (version, short) => {
  expect(nodeTooOld(version, ">=22.12")).toBe(
    `Mainstay needs Node 22.12 or newer; this is ${short}. Install a newer Node.`,
  );
});
