// How long a command takes from its start to its end: on the clock, and of CPU time, which says more on a machine that others use too.

import { execFileSync } from "node:child_process";

export interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** The shell's `times` tells what its children used; the child's own output is not wanted. */
const measured = '"$@" > /dev/null || exit 1; times';

export function measureStart(command: readonly string[]): Start {
  const beganMs = performance.now();
  const told = execFileSync("sh", ["-c", measured, "sh", ...command], { encoding: "utf8" });
  const wallMs = performance.now() - beganMs;
  // Two lines, the shell's own and its children's, each with the time of the user and of the system: 0m0.031s 0m0.012s.
  const ofChildren = told.trim().split("\n")[1] ?? "";
  const [user = Number.NaN, system = Number.NaN] = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60_000 + Number(seconds) * 1_000,
  );
  return { wallMs, cpuMs: user + system };
}

/** Half were quicker. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Of CPU time, which some shells tell in steps of 10 ms: only the mean of several is finer than that. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
