// Makes a failure smaller: leaves out one fault after another, then halves their windows, as long as the same promise is broken.

import type { DrawnFault } from "../faults/fault.ts";
import type { SeedResult } from "./run-seed.ts";

export interface Shrunk {
  /** With the fewest faults that still break the promise. */
  readonly result: SeedResult;
  readonly runs: number;
}

export async function shrink(
  failed: SeedResult,
  runWith: (faults: readonly DrawnFault[]) => Promise<SeedResult>,
  maxRuns = 60,
): Promise<Shrunk> {
  let best = failed;
  let runs = 0;
  const attempt = async (faults: readonly DrawnFault[]): Promise<boolean> => {
    if (runs >= maxRuns) return false;
    runs += 1;
    const result = await runWith(faults);
    if (result.violation?.checker !== failed.violation?.checker) return false;
    best = result;
    return true;
  };
  for (const { name } of failed.faults) {
    await attempt(best.faults.filter((fault) => fault.name !== name));
  }
  for (const { name } of best.faults) {
    while (await narrower(best.faults, name, attempt));
  }
  return { result: best, runs };
}

async function narrower(
  faults: readonly DrawnFault[],
  name: string,
  attempt: (faults: readonly DrawnFault[]) => Promise<boolean>,
): Promise<boolean> {
  const found = faults.find((fault) => fault.name === name);
  if (found === undefined || found.toMs - found.fromMs < 500) return false;
  const middleMs = Math.floor((found.fromMs + found.toMs) / 2);
  const replaced = (half: Partial<DrawnFault>) =>
    faults.map((fault) => (fault.name === name ? { ...fault, ...half } : fault));
  return (await attempt(replaced({ toMs: middleMs }))) || attempt(replaced({ fromMs: middleMs }));
}
