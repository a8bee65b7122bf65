// Every fault that a seed can draw.

import type { Random } from "../../ports/random.ts";
import { between, chance, streamOf } from "../time/derive-seed.ts";
import { callFaults } from "./call-faults.ts";
import { crashFaults } from "./crash-faults.ts";
import type { DrawnFault, Fault } from "./fault.ts";
import { networkFaults } from "./network-faults.ts";
import { partFaults } from "./part-faults.ts";
import { processFaults } from "./process-faults.ts";
import { systemFaults } from "./system-faults.ts";
import { watchFaults } from "./watch-faults.ts";

export const allFaults: readonly Fault[] = [
  ...callFaults,
  ...crashFaults,
  ...processFaults,
  ...networkFaults,
  ...systemFaults,
  ...watchFaults,
  ...partFaults,
];

export function faultNamed(name: string): Fault | undefined {
  return allFaults.find((fault) => fault.name === name);
}

/**
 * A random subset, each with its window and its rate. Some seeds draw none: then everything must simply work. A third of the windows begins
 * with the world: what is done only once is done then.
 */
export function drawFaults(seed: number, untilMs: number): readonly DrawnFault[] {
  const random = streamOf(seed, "faults");
  const share = random.next() * 0.45;
  return allFaults.flatMap((fault) =>
    fault.apartShare === undefined
      ? drawOne(fault, share * (fault.likely ?? 1), untilMs, random)
      : drawOne(fault, fault.apartShare, untilMs, streamOf(seed, `faults ${fault.name}`)),
  );
}

function drawOne({ name, call, event }: Fault, share: number, untilMs: number, random: Random): readonly DrawnFault[] {
  const drawn = chance(random, share);
  const fromMs = Math.max(0, between(random, -Math.floor(untilMs / 4), Math.floor(untilMs / 2)));
  const toMs = between(random, fromMs, untilMs);
  const [low, high] = call?.rate ?? event?.rate ?? [1, 1];
  const rate = low + random.next() * random.next() * (high - low);
  return drawn ? [{ name, fromMs, toMs, rate }] : [];
}
