// Every fault that a seed can draw.

import type { Random } from "../../ports/random.ts";
import { between, chance } from "../derive-seed.ts";
import { callFaults } from "./call-faults.ts";
import { crashFaults } from "./crash-faults.ts";
import type { DrawnFault, Fault } from "./fault.ts";
import { networkFaults } from "./network-faults.ts";
import { processFaults } from "./process-faults.ts";
import { systemFaults } from "./system-faults.ts";

export const allFaults: readonly Fault[] = [
  ...callFaults,
  ...crashFaults,
  ...processFaults,
  ...networkFaults,
  ...systemFaults,
];

export function faultNamed(name: string): Fault | undefined {
  return allFaults.find((fault) => fault.name === name);
}

/** A random subset, each with its window and its rate. Some seeds draw none: then everything must simply work. */
export function drawFaults(random: Random, untilMs: number): readonly DrawnFault[] {
  const share = random.next() * 0.45;
  return allFaults.flatMap(({ name, call }) => {
    const drawn = chance(random, share);
    const fromMs = between(random, 0, Math.floor(untilMs / 2));
    const toMs = between(random, fromMs, untilMs);
    const [low, high] = call?.rate ?? [1, 1];
    const rate = low + random.next() * random.next() * (high - low);
    return drawn ? [{ name, fromMs, toMs, rate }] : [];
  });
}
