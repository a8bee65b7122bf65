import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deriveTopology, type RuleSet } from "./derive.ts";

const single = "SingleReplica";
const ha = "HighlyAvailable";
const dual = "DualReplica";
const arbiter = "HighlyAvailableArbiter";

type Row = readonly [
  controlPlane: number | "external",
  arbiters: number,
  workers: readonly number[],
  seed: string,
  current: string,
];

const rows: readonly Row[] = [
  [1, 0, [0], `${single}/${single}`, `${single}/${single}`],
  [1, 0, [1], `${single}/${single}`, `${single}/${single}`],
  [1, 0, [2], `${single}/${ha}`, `${single}/${ha}`],
  [2, 0, [0], `${single}/${single}`, `${dual}/${ha}`],
  [2, 0, [1], `${single}/${single}`, `${dual}/${single}`],
  [2, 0, [2], `${single}/${ha}`, `${dual}/${ha}`],
  [2, 1, [0], `${single}/${single}`, `${arbiter}/${ha}`],
  [2, 1, [1], `${single}/${single}`, `${arbiter}/${single}`],
  [3, 0, [0], `${ha}/${ha}`, `${ha}/${ha}`],
  [3, 0, [1], `${ha}/${single}`, `${ha}/${single}`],
  [3, 0, [2], `${ha}/${ha}`, `${ha}/${ha}`],
  [3, 1, [0], `${ha}/${ha}`, `${arbiter}/${ha}`],
  [5, 0, [3], `${ha}/${ha}`, `${ha}/${ha}`],
  [3, 0, [1, 1], `${ha}/${ha}`, `${ha}/${ha}`],
  [3, 0, [0, 0], `${ha}/${ha}`, `${ha}/${ha}`],
  [3, 0, [1, 0], `${ha}/${single}`, `${ha}/${single}`],
  [1, 0, [], `${single}/${single}`, `${single}/${single}`],
  ["external", 0, [0], `External/${ha}`, `External/${ha}`],
  ["external", 0, [1], `External/${single}`, `External/${single}`],
  ["external", 0, [2], `External/${ha}`, `External/${ha}`],
];

describe("deriving a topology from declared replicas", () => {
  test.each(rows)("%s control-plane machines, %s arbiters, workers %j are %s in two modes and %s today", (...row) => {
    const [controlPlane, arbiters, workers, twoModes, current] = row;
    const read = (rules: RuleSet) => {
      const { topology } = deriveTopology({ controlPlane, arbiters, workers }, rules);
      return `${topology.controlPlane}/${topology.infrastructure}`;
    };
    expect({ twoModes: read("two-modes"), current: read("current") }).toEqual({ twoModes, current });
  });

  const replicas = fc.record({
    controlPlane: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant("external" as const)),
    workers: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }),
    arbiters: fc.integer({ min: 0, max: 2 }),
  });
  const rules = fc.constantFrom<RuleSet>("two-modes", "current");

  test("sums the pools, whatever their order and split", () => {
    fc.assert(
      fc.property(replicas, rules, (declared, set) => {
        const sum = declared.workers.reduce((a, b) => a + b, 0);
        const asOne = deriveTopology({ ...declared, workers: [sum] }, set).topology;
        expect(deriveTopology(declared, set).topology).toEqual(asOne);
        expect(deriveTopology({ ...declared, workers: declared.workers.toReversed() }, set).topology).toEqual(asOne);
      }),
    );
  });

  test("lets workers decide nothing about the control plane", () => {
    fc.assert(
      fc.property(replicas, rules, fc.integer({ min: 0, max: 50 }), (declared, set, more) => {
        const grown = { ...declared, workers: [...declared.workers, more] };
        expect(deriveTopology(grown, set).topology.controlPlane).toBe(
          deriveTopology(declared, set).topology.controlPlane,
        );
      }),
    );
  });

  test("gives two modes no other, but for an external control plane", () => {
    fc.assert(
      fc.property(replicas, (declared) => {
        const { controlPlane } = deriveTopology(declared, "two-modes").topology;
        expect([single, ha, ...(declared.controlPlane === "external" ? ["External"] : [])]).toContain(controlPlane);
      }),
    );
  });

  test("never calls infrastructure nodes external", () => {
    fc.assert(
      fc.property(replicas, rules, (declared, set) => {
        expect([single, ha]).toContain(deriveTopology(declared, set).topology.infrastructure);
      }),
    );
  });

  test("says when two modes leave arbiters uncounted", () => {
    const { because } = deriveTopology({ controlPlane: 2, workers: [0], arbiters: 1 }, "two-modes");
    expect(because.controlPlane).toContain("1 went uncounted");
  });
});
