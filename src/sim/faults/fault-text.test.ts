import { expect, test } from "vitest";
import { faultsOf } from "../run/run-seed.ts";
import { parseFaults, renderFaults } from "./fault-text.ts";

test("faults that were printed can be pasted, and mean the same", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const faults = faultsOf(seed, []);
    expect(parseFaults(renderFaults(faults))).toEqual(faults);
  }
});

test("what is no fault is not taken for one", () => {
  for (const text of ["", "partition", "earthquake@0-5", "partition@a-b"]) expect(parseFaults(text)).toBeUndefined();
});
